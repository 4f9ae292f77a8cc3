#include "report/predictive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/statistics.hpp"
#include "evident/base/error.hpp"
#include "report/new_data.hpp"

namespace evident::report {
namespace {

constexpr std::size_t kMostObservations = 1000000, kFewestDraws = 20;

/// Rows of a series that are kept: all, or evenly spread.
std::vector<std::size_t> kept_rows(std::size_t count, std::size_t most) {
  std::vector<std::size_t> rows(std::min(count, most));
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i * count / rows.size();
  return rows;
}

PredictedSeries series_of(const Observed& all, std::size_t first, const NewData& data,
                          const PredictiveOptions& options) {
  PredictedSeries out;
  out.count = all.values.size();
  out.observed.name = all.name;
  out.observed.axis_name = all.axis_name;
  out.observed.discrete = all.discrete;
  const std::vector<std::size_t> rows = kept_rows(all.values.size(), options.most_rows);
  out.replicates.resize(std::min(options.replicates, data.size()));
  for (auto& r : out.replicates) r.reserve(rows.size());
  for (const std::size_t row : rows) {
    out.observed.values.push_back(all.values[row]);
    if (!all.axis.empty()) out.observed.axis.push_back(all.axis[row]);
    for (std::size_t r = 0; r < out.replicates.size(); ++r)  // spread over the draws, and so over the sources
      out.replicates[r].push_back(data.value(first + row, r * data.size() / out.replicates.size()));
    add_quantiles(data.values(first + row), out.band);
    const std::vector<double> means = data.means(first + row);
    double sum = 0;
    for (const double m : means) sum += m;
    out.mean.push_back(means.empty() ? kNaN : sum / static_cast<double>(means.size()));
    out.mean_q05.push_back(quantile_of_sorted(means, 0.05));
    out.mean_q95.push_back(quantile_of_sorted(means, 0.95));
  }
  out.histogram = histogram_of(all, first, data);
  return out;
}

std::size_t draws_for(std::size_t observations, const PredictiveOptions& options) {
  return std::min(options.draws, std::max(kFewestDraws, options.most_cells / observations));
}

}  // namespace

bool same_observations(const Model& a, const Model& b) {
  const std::vector<Observed> x = a.observed(), y = b.observed();
  return std::ranges::equal(
      x, y, [](const Observed& p, const Observed& q) { return p.name == q.name && p.values == q.values; });
}

Predictive predictive(std::span<const PredictiveSource> sources, const Executor& executor,
                      const PredictiveOptions& options) {
  Predictive out;
  if (sources.empty()) return out;
  const std::vector<Observed> observed = sources.front().model->observed();
  std::size_t n = 0;
  for (const Observed& o : observed) n += o.values.size();
  if (n == 0) return out;
  if (n > kMostObservations) throw RunError(fmt::format("{} observations are too many to draw them anew", n));
  const NewData data(sources, n, draws_for(n, options), executor);
  out.draws = data.size();
  std::size_t first = 0;
  for (const Observed& o : observed) {
    if (o.values.empty()) continue;
    out.series.push_back(series_of(o, first, data, options));
    add_checks(o, first, data, out.checks);
    first += o.values.size();
  }
  return out;
}

}  // namespace evident::report
