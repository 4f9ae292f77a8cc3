// The path from one model to the next: how far to go, what a step is worth, and its integral.
#pragma once

#include <span>

#include "evident/path/trace.hpp"
#include "evident/schedule/schedule.hpp"
#include "particles/union_population.hpp"
#include "smc/model_pair.hpp"

namespace evident {

/// W_t ~ W_{t-1} pi_t(M) / pi_{t-1}(M). `to` is the index of the second model.
Step tilt(UnionPopulation& x, ModelIndex to, const ModelPair& now, const ModelPair& next);

/// The next log odds; infinity for the last step. Fixed schedules give alpha itself. Adaptive ones keep the
/// conditional ESS at the target: with the share P of the second model and r = exp(next - now),
///   CESS / N = (1 - P + P r)^2 / (1 - P + P r^2),
/// and end when P itself, the CESS of the step that leaves the first model, has reached the target.
double next_log_odds(const Schedule& schedule, double log_odds, double share, std::size_t step);

/// log p(y|to) / p(y|from) by path sampling. With eta = log(alpha / (1 - alpha)) the integrand is P(eta) - alpha(eta),
/// which is bounded; in alpha it is P / alpha - (1 - P) / (1 - alpha), which is 0/0 at both ends. What lies outside the
/// sampled range is known in closed form given the ratio B of the evidences, and B follows: log(1 - alpha_1 + alpha_1
/// B) before it and -log(alpha_T + (1 - alpha_T) / B) after it.
double path_sampling_of_pair(std::span<const double> log_odds, std::span<const double> share);

}  // namespace evident
