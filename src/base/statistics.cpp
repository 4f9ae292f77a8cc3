#include "base/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "evident/base/log_math.hpp"

namespace evident {

double mean(std::span<const double> x) {
  double sum = 0;
  for (const double v : x) sum += v / static_cast<double>(x.size());
  return sum;
}

double variance(std::span<const double> x) {
  if (x.size() < 2) return kNaN;
  const double centre = mean(x);
  double squares = 0;
  for (const double v : x) squares += (v - centre) * (v - centre);
  return squares / static_cast<double>(x.size() - 1);
}

double standard_deviation(std::span<const double> x) { return std::sqrt(variance(x)); }

double sd_of_all(std::span<const double> x) {
  const double centre = mean(x);
  double squares = 0;
  for (const double v : x) squares += (v - centre) * (v - centre) / static_cast<double>(x.size());
  return std::sqrt(squares);
}

double error_of_mean(std::span<const double> x) { return std::sqrt(variance(x) / static_cast<double>(x.size())); }

double median(std::vector<double> x) {
  std::ranges::sort(x);
  const std::size_t n = x.size();
  return n % 2 == 1 ? x[n / 2] : 0.5 * (x[n / 2 - 1] + x[n / 2]);
}

double quantile_of_sorted(std::span<const double> sorted, double share) {
  if (sorted.empty()) return kNaN;
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const double a = sorted[below], b = sorted[std::min(below + 1, sorted.size() - 1)];
  return a + (place - static_cast<double>(below)) * (b - a);
}

double value_above_share(std::span<double> x, double share) {
  const auto at = x.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(x.size()));
  std::nth_element(x.begin(), at, x.end());
  return *at;
}

namespace {

double total(std::span<const double> weights) { return std::accumulate(weights.begin(), weights.end(), 0.0); }

}  // namespace

double weighted_mean(std::span<const double> values, std::span<const double> weights) {
  const double all = total(weights);
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (weights[i] > 0) sum += weights[i] / all * values[i];
  return sum;
}

double weighted_standard_deviation(std::span<const double> values, std::span<const double> weights) {
  const double all = total(weights), centre = weighted_mean(values, weights);
  double squares = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (weights[i] > 0) squares += weights[i] / all * (values[i] - centre) * (values[i] - centre);
  return std::sqrt(squares);
}

std::vector<double> weighted_quantiles(std::span<const double> values, std::span<const double> weights,
                                       std::span<const double> shares) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::less{}, [&](std::size_t i) { return values[i]; });
  const double all = total(weights);
  std::vector<double> out;
  for (const double p : shares) {
    double sum = 0;
    const auto reached = [&](std::size_t i) { return (sum += weights[i]) >= p * all; };
    const auto at = std::ranges::find_if(order, reached);
    out.push_back(values[at == order.end() ? order.back() : *at]);
  }
  return out;
}

}  // namespace evident
