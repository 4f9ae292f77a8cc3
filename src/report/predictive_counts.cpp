// Histograms of new data sets, and checks: numbers that a model should reproduce.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/statistics.hpp"
#include "report/new_data.hpp"

namespace evident::report {
namespace {

constexpr std::size_t kMostBins = 30, kMostWholeNumbers = 60, kFewestForNeighbours = 5;

std::vector<double> even_edges(double low, double high, std::size_t bins) {
  std::vector<double> edges(bins + 1);
  for (std::size_t b = 0; b <= bins; ++b)
    edges[b] = low + (high - low) * static_cast<double>(b) / static_cast<double>(bins);
  return edges;
}

/// Over the data and most of what is new, but new data far outside do not squeeze the observed ones.
std::vector<double> edges_for(const Observed& observed, std::size_t first, const NewData& data) {
  const auto ends = std::ranges::minmax(observed.values);
  const double least = ends.min, most = ends.max;
  const double width = most > least ? most - least : std::max(1e-6, 1e-3 * std::abs(most));
  constexpr std::size_t kSampled = 20000;
  std::vector<double> pool;
  const std::size_t cells = observed.values.size() * data.size(), step = 1 + cells / kSampled;
  for (std::size_t i = 0; i < cells; i += step)
    if (const double v = data.value(first + i % observed.values.size(), i / observed.values.size()); std::isfinite(v))
      pool.push_back(v);
  std::ranges::sort(pool);
  const auto reach = [&](double p, double end) {
    return pool.empty() ? end : std::clamp(quantile_of_sorted(pool, p), least - width, most + width);
  };
  const double low = std::min(least, reach(0.005, least)), high = std::max(most, reach(0.995, most));
  const double whole = std::floor(high) - std::floor(low) + 1;
  if (observed.discrete && whole <= static_cast<double>(kMostWholeNumbers))
    return even_edges(std::floor(low) - 0.5, std::floor(low) - 0.5 + whole, static_cast<std::size_t>(whole));
  const auto wanted = static_cast<std::size_t>(2 * std::cbrt(static_cast<double>(observed.values.size())) *
                                               std::max(1.0, (high - low) / width));
  const double margin = 1e-9 * std::max(width, std::abs(high - low));
  return even_edges(low - margin, high + margin, std::clamp<std::size_t>(wanted, 8, kMostBins));
}

void count(double value, const std::vector<double>& edges, std::vector<double>& counts) {
  const double place = (value - edges.front()) / (edges.back() - edges.front()) * static_cast<double>(counts.size());
  if (place >= 0 && place < static_cast<double>(counts.size())) ++counts[static_cast<std::size_t>(place)];
}

double mean_of(std::span<const double> y) {
  return std::accumulate(y.begin(), y.end(), 0.0) / static_cast<double>(y.size());
}

double sd_of(std::span<const double> y) {
  const double mean = mean_of(y);
  double squares = 0;
  for (const double v : y) squares += (v - mean) * (v - mean);
  return std::sqrt(squares / static_cast<double>(y.size() - 1));
}

/// Correlation of each residual with the next.
double neighbours(std::span<const double> r) {
  double product = 0, squares = 0;
  for (std::size_t i = 0; i < r.size(); ++i) {
    squares += r[i] * r[i];
    if (i > 0) product += r[i] * r[i - 1];
  }
  return product / squares;
}

/// One statistic of the data and of every new data set. `of(y, column)` may look at the means of that column.
template <class Of>
void add_check(const Observed& observed, std::size_t first, const NewData& data, const char* name, const Of& of,
               std::vector<PredictiveCheck>& out) {
  std::vector<double> seen, fresh, y(observed.values.size());
  double larger = 0;
  for (std::size_t c = 0; c < data.size(); ++c) {
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = data.value(first + i, c);
    const double a = of(std::span<const double>(observed.values), c), b = of(std::span<const double>(y), c);
    if (!std::isfinite(a) || !std::isfinite(b)) continue;
    seen.push_back(a);
    fresh.push_back(b);
    larger += b > a ? 1.0 : b == a ? 0.5 : 0.0;
  }
  if (fresh.size() < data.size() / 2 || fresh.empty()) return;  // no number to speak of
  std::ranges::sort(fresh);
  out.push_back({.observed = observed.name,
                 .statistic = name,
                 .value = mean_of(seen),
                 .q05 = quantile_of_sorted(fresh, 0.05),
                 .q50 = quantile_of_sorted(fresh, 0.5),
                 .q95 = quantile_of_sorted(fresh, 0.95),
                 .p_value = larger / static_cast<double>(fresh.size())});
}

}  // namespace

PredictedHistogram histogram_of(const Observed& observed, std::size_t first, const NewData& data) {
  PredictedHistogram out;
  out.edges = edges_for(observed, first, data);
  const std::size_t bins = out.edges.size() - 1;
  out.observed.assign(bins, 0.0);
  for (const double v : observed.values) count(v, out.edges, out.observed);
  std::vector<std::vector<double>> by_bin(bins);
  std::vector<double> counts(bins);
  for (std::size_t c = 0; c < data.size(); ++c) {
    std::ranges::fill(counts, 0.0);
    for (std::size_t i = 0; i < observed.values.size(); ++i) count(data.value(first + i, c), out.edges, counts);
    for (std::size_t b = 0; b < bins; ++b) by_bin[b].push_back(counts[b]);
  }
  for (std::vector<double>& b : by_bin) {
    std::ranges::sort(b);
    add_quantiles(b, out.band);
  }
  return out;
}

void add_checks(const Observed& observed, std::size_t first, const NewData& data, std::vector<PredictiveCheck>& out) {
  const auto add = [&](const char* name, const auto& of) { add_check(observed, first, data, name, of, out); };
  using Values = std::span<const double>;
  add("mean", [](Values y, std::size_t) { return mean_of(y); });
  if (observed.values.size() > 1) add("standard deviation", [](Values y, std::size_t) { return sd_of(y); });
  add("smallest", [](Values y, std::size_t) { return std::ranges::min(y); });
  add("largest", [](Values y, std::size_t) { return std::ranges::max(y); });
  if (observed.discrete)
    add("share of zeros", [](Values y, std::size_t) {
      return static_cast<double>(std::ranges::count(y, 0.0)) / static_cast<double>(y.size());
    });
  if (observed.axis.empty() || observed.values.size() < kFewestForNeighbours) return;
  std::vector<std::size_t> order(observed.values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return observed.axis[i]; });
  std::vector<double> r(order.size());
  add("correlation of neighbouring residuals", [&](Values y, std::size_t c) {
    for (std::size_t i = 0; i < order.size(); ++i) r[i] = y[order[i]] - data.mean(first + order[i], c);
    return neighbours(r);
  });
}

}  // namespace evident::report
