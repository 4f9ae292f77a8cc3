#include "compare/summary.hpp"

#include <algorithm>
#include <array>

#include "base/statistics.hpp"

namespace evident {
namespace {

// The values and weights of one name, gathered from weighted sets.
struct Gathered {
  std::vector<double> values, weights;
  void add(const Draws& draws, std::size_t row, double share) {
    for (std::size_t i = 0; i < draws.weights.size(); ++i) {
      if (!(draws.weights[i] * share > 0)) continue;
      values.push_back(draws.values(row, i));
      weights.push_back(draws.weights[i] * share);
    }
  }
};

std::size_t find_row(const Draws& draws, const std::string& name) {
  return static_cast<std::size_t>(std::find(draws.names.begin(), draws.names.end(), name) - draws.names.begin());
}

}  // namespace

ParameterSummary summarise(std::string name, std::span<const double> values, std::span<const double> weights) {
  const std::vector<double> q = weighted_quantiles(values, weights, std::array{0.05, 0.25, 0.50, 0.75, 0.95});
  return {.name = std::move(name),
          .mean = weighted_mean(values, weights),
          .sd = weighted_standard_deviation(values, weights),
          .q05 = q[0],
          .q25 = q[1],
          .q50 = q[2],
          .q75 = q[3],
          .q95 = q[4]};
}

Draws collect_draws(const Model& model, const Population& particles) {
  Draws draws;
  draws.names = model.parameters().names();
  const std::size_t own = draws.names.size(), n = particles.size();
  const auto derived = model.derived_names();
  draws.names.insert(draws.names.end(), derived.begin(), derived.end());
  draws.values = BlockStorage(draws.names.size(), n);
  for (std::size_t j = 0; j < own; ++j) std::copy_n(particles.theta.row(j).data(), n, draws.values.row(j).data());
  if (!derived.empty()) model.derive(particles.theta, draws.values.block().some_rows(own, derived.size()));
  draws.weights.assign(particles.weights.values().begin(), particles.weights.values().end());
  draws.log_likelihood.assign(particles.log_likelihood.begin(), particles.log_likelihood.end());
  draws.log_prior.resize(n);
  for (std::size_t i = 0; i < n; ++i) draws.log_prior[i] = particles.log_prior[i] - particles.log_jacobian[i];
  return draws;
}

std::vector<ParameterSummary> summarise(const std::vector<Draws>& sets, std::span<const double> shares) {
  std::vector<ParameterSummary> out;
  for (std::size_t j = 0; j < sets.front().names.size(); ++j) {
    Gathered all;
    for (std::size_t r = 0; r < sets.size(); ++r) all.add(sets[r], j, shares[r]);
    if (!all.values.empty()) out.push_back(summarise(sets.front().names[j], all.values, all.weights));
  }
  return out;
}

std::vector<ParameterSummary> average(const std::vector<std::vector<Draws>>& models,
                                      const std::vector<std::vector<double>>& shares,
                                      std::span<const double> probabilities) {
  std::vector<std::string> names;
  for (const auto& sets : models)
    for (const auto& name : sets.front().names)
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  std::vector<ParameterSummary> out;
  for (const std::string& name : names) {
    Gathered all;
    std::size_t models_with_it = 0;
    for (std::size_t k = 0; k < models.size(); ++k) {
      const std::size_t row = find_row(models[k].front(), name);
      if (row == models[k].front().names.size()) continue;
      ++models_with_it;
      for (std::size_t r = 0; r < models[k].size(); ++r) all.add(models[k][r], row, shares[k][r] * probabilities[k]);
    }
    if (models_with_it >= 2 && !all.values.empty()) out.push_back(summarise(name, all.values, all.weights));
  }
  return out;
}

}  // namespace evident
