// The lines of the algorithm after the first draw: weigh, choose, reweight, resample.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "evident/base/context.hpp"
#include "evident/particles/population.hpp"
#include "evident/path/target.hpp"
#include "evident/path/trace.hpp"
#include "evident/smc/sampler.hpp"

namespace evident {

/// After the particles of each rank were evaluated: all ranks know the log likelihoods and the counts of all of them.
void share_results(Population& x, EvaluationCount& count);
/// Weights prior / nu when the model has an initial distribution; returns the log of their mean.
double weight_initial(const Model& model, Population& x);
/// The next tempering parameter. It is asked for before the particles move: a step chosen on the very particles that
/// estimate its ratio makes the estimate too high, by log(1/alpha_1)/N.
double choose_alpha(const Schedule& schedule, ScheduleView where, const Population& x);
/// Moves the weights from pi_alpha to pi_next and fills in what is known before the particles move: alpha, log_ratio,
/// cess, ess and, when the run is watched, the finer grid of path sampling.
Step reweight(Weights& weights, std::span<const double> log_likelihood, double alpha, double next, bool watch = true);
/// In a waste-free run also what the chains tell of the ratio's variance.
Step reweight(Population& x, double alpha, double next, bool watch);
/// A waste-free run always resamples, to the starts of its chains; but not at step 0, after which nothing is moved.
bool resample_if_needed(Population& x, const SmcOptions& options, const Context& context, std::uint32_t step);
/// How many evaluations were NaN, and where: `model` is null, or the points are its parameters.
struct NanCount {
  std::size_t count = 0, evaluations = 0;
  const Model* model = nullptr;
  std::span<const std::vector<double>> points = {};
};
/// Throws RunError when the run was asked to stop, or more than the share `nan_limit` of its evaluations was NaN.
void check_stop_and_nan(const NanCount& nan, double nan_limit, const Context& context);
/// Throws RunError when the run was asked to stop, makes too many steps, or meets too many NaN.
void check_progress(const Trace& trace, const SmcOptions& options, const Context& context,
                    const Model* model = nullptr);

}  // namespace evident
