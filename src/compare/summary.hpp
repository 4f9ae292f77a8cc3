// Posterior summaries from weighted draws.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "evident/compare/compare.hpp"
#include "evident/particles/population.hpp"

namespace evident {

/// Mean, SD and quantiles of one quantity under normalised weights.
ParameterSummary summarise(std::string name, std::span<const double> values, std::span<const double> weights);

/// Draws of one run: parameters and the model's derived quantities.
Draws collect_draws(const Model& model, const Population& particles);

/// Several sets of draws as one; set r has the share `shares[r]`. All have the same names. Nothing without draws.
std::vector<ParameterSummary> summarise(const std::vector<Draws>& sets, std::span<const double> shares);

/// Model-averaged summaries of the names that at least two models share; a model that lacks a name is left out and the
/// others' probabilities are scaled up.
std::vector<ParameterSummary> average(const std::vector<std::vector<Draws>>& models,
                                      const std::vector<std::vector<double>>& shares,
                                      std::span<const double> probabilities);

}  // namespace evident
