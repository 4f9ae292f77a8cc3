#include "report/new_data.hpp"

#include <algorithm>
#include <cmath>

#include "base/statistics.hpp"
#include "evident/base/error.hpp"

namespace evident::report {
namespace {

std::vector<double> finite_and_sorted(std::size_t count, const auto& at) {
  std::vector<double> out;
  out.reserve(count);
  for (std::size_t c = 0; c < count; ++c)
    if (const double v = at(c); std::isfinite(v)) out.push_back(v);
  std::ranges::sort(out);
  return out;
}

void check(const PredictiveSource& s) {
  const std::vector<std::string>& names = s.model->parameters().names();
  const bool fits = s.draws->names.size() >= names.size() && s.draws->values.size() == s.draws->weights.size() &&
                    std::equal(names.begin(), names.end(), s.draws->names.begin());
  if (!fits) throw RunError("the posterior draws are not those of the model's parameters");
}

}  // namespace

std::vector<std::size_t> pick(std::span<const double> weights, std::size_t count) {
  const auto usable = [](double w) { return std::isfinite(w) && w > 0; };
  double total = 0;
  for (const double w : weights)
    if (usable(w)) total += w;
  if (!(total > 0) && count > 0) throw RunError("no posterior draw has a weight");
  std::vector<std::size_t> out;
  out.reserve(count);
  double reached = 0;
  std::size_t last = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!usable(weights[i])) continue;
    last = i;
    reached += weights[i] / total * static_cast<double>(count);
    while (out.size() < count && static_cast<double>(out.size()) + 0.5 < reached) out.push_back(i);
  }
  out.resize(count, last);  // rounding may leave the sum just below 1
  return out;
}

NewData::NewData(std::span<const PredictiveSource> sources, std::size_t observations, std::size_t draws,
                 const Executor& executor) {
  std::vector<double> shares;
  for (const PredictiveSource& s : sources) shares.push_back(s.share);
  std::vector<std::size_t> counts(sources.size());
  for (const std::size_t s : pick(shares, draws)) ++counts[s];
  for (std::size_t s = 0; s < sources.size(); ++s) {
    check(sources[s]);
    const std::vector<std::size_t> columns = pick(sources[s].draws->weights, counts[s]);
    const std::size_t rows = sources[s].model->parameters().size();
    BlockStorage theta(rows, columns.size());
    for (std::size_t j = 0; j < rows; ++j)
      for (std::size_t c = 0; c < columns.size(); ++c) theta(j, c) = sources[s].draws->values(j, columns[c]);
    Part part{BlockStorage(observations, columns.size()), BlockStorage(observations, columns.size())};
    const ConstBlock from = theta;
    executor.for_each(block_count(columns.size()), [&](std::size_t b) {
      const std::size_t first = b * kBlockSize, count = std::min(kBlockSize, columns.size() - first);
      const ConstBlock some = from.columns(first, count);
      sources[s].model->draw_observations(some, sources[s].streams, static_cast<std::uint32_t>(first),
                                          part.values.block().columns(first, count));
      sources[s].model->predict(some, part.means.block().columns(first, count));
    });
    parts_.push_back(std::move(part));
    for (std::size_t c = 0; c < columns.size(); ++c) place_.push_back({s, c});
  }
}

std::vector<double> NewData::values(std::size_t row) const {
  return finite_and_sorted(size(), [&](std::size_t c) { return value(row, c); });
}

std::vector<double> NewData::means(std::size_t row) const {
  return finite_and_sorted(size(), [&](std::size_t c) { return mean(row, c); });
}

void add_quantiles(const std::vector<double>& sorted, Band& band) {
  band.q05.push_back(quantile_of_sorted(sorted, 0.05));
  band.q25.push_back(quantile_of_sorted(sorted, 0.25));
  band.q50.push_back(quantile_of_sorted(sorted, 0.50));
  band.q75.push_back(quantile_of_sorted(sorted, 0.75));
  band.q95.push_back(quantile_of_sorted(sorted, 0.95));
}

}  // namespace evident::report
