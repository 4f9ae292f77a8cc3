// The parts of a check that stand in files of their own.
#pragma once

#include "compare/model_check.hpp"

namespace evident {

/// `theta`: draws of the prior; `log_likelihood` of each.
GradientCheck check_gradient(const Model& model, ConstBlock theta, std::span<const double> log_likelihood);
std::vector<PriorPredictive> check_predictive(const Model& model, ConstBlock theta, const Context& context);
/// Adds draws with their log likelihoods to what was found.
void look_for_nan(const Model& model, ConstBlock theta, std::span<const double> log_likelihood, NanOfPrior& found);

}  // namespace evident
