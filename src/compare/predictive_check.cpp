// Data sets from the prior: do the real data look like one of them?
#include <algorithm>
#include <array>
#include <cmath>

#include "base/statistics.hpp"
#include "compare/model_check_parts.hpp"

namespace evident {
namespace {

constexpr std::array<const char*, 4> kStatistics = {"mean", "sd", "smallest", "largest"};

std::array<double, 4> statistics(std::span<const double> y) {
  const auto [low, high] = std::ranges::minmax(y);
  return {mean(y), sd_of_all(y), low, high};
}

double share_below(std::span<const double> values, double x) {
  double below = 0;
  for (const double v : values) below += v < x ? 1 : v == x ? 0.5 : 0;
  return below / static_cast<double>(values.size());
}

}  // namespace

std::vector<PriorPredictive> check_predictive(const Model& model, ConstBlock theta, const Context& context) {
  const std::vector<Observed> tables = model.observed();
  std::size_t rows = 0;
  for (const Observed& o : tables) rows += o.values.size();
  // One array of numbers for each table and statistic, an entry for each data set.
  std::vector<std::array<std::vector<double>, 4>> found(tables.size());
  for (auto& f : found)
    for (auto& values : f) values.resize(theta.size());
  context.executor.for_each(block_count(theta.size()), [&](std::size_t b) {
    const std::size_t first = b * kBlockSize, count = std::min(kBlockSize, theta.size() - first);
    BlockStorage y(rows, count);
    model.draw_observations(theta.columns(first, count), context.streams, static_cast<std::uint32_t>(first), y);
    std::vector<double> one;
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t row = 0;
      for (std::size_t k = 0; k < tables.size(); ++k) {
        one.clear();
        for (std::size_t r = 0; r < tables[k].values.size(); ++r) one.push_back(y(row++, i));
        if (one.empty()) continue;
        const auto s = statistics(one);
        for (std::size_t t = 0; t < 4; ++t) found[k][t][first + i] = s[t];
      }
    }
  });
  std::vector<PriorPredictive> out;
  for (std::size_t k = 0; k < tables.size(); ++k) {
    if (tables[k].values.empty()) continue;
    const auto of_data = statistics(tables[k].values);
    for (std::size_t t = 0; t < 4; ++t)
      out.push_back(
          {tables[k].name, kStatistics[t], of_data[t], spread_of(found[k][t]), share_below(found[k][t], of_data[t])});
  }
  return out;
}

}  // namespace evident
