// Direct evidence: one sampler from the prior to the posterior of one model (paper, Algorithms 2 and 4, "SMC2").
//
//   const Run run = direct_evidence(*model, {.particles = 4000, .schedule = CessSchedule{0.9999}}, context);
//   double log_evidence = standard_estimate(run.trace);
//
// A run that chooses its schedule and its proposals from its own particles is biased, and no error can be put on that
// from the run itself. So an adaptive run, the pilot, only makes the plan: every alpha, and the shape, scale and number
// of the moves at each. Frozen runs with other random numbers then follow the plan and adapt nothing; the mean of their
// evidences (not of the logarithms) is Z exactly, whatever the plan is worth. A good plan makes their spread small.
//
//   const SmcOptions options = frozen_defaults();
//   const PilotRun first = pilot(*model, options, context);
//   std::vector<double> log_evidences;
//   for (std::uint64_t r = 0; r < 8; ++r) {
//     const Context island{context.streams.part(r), context.executor};
//     log_evidences.push_back(standard_estimate(frozen_evidence(*model, first.plan, options, island).trace));
//   }
//   const Estimate all = island_evidence(log_evidences);
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "evident/kernel/kernel.hpp"
#include "evident/kernel/options.hpp"
#include "evident/model/model.hpp"
#include "evident/particles/population.hpp"
#include "evident/path/trace.hpp"
#include "evident/schedule/schedule.hpp"

namespace evident {

/// Options of a sampler; all have defaults.
struct SmcOptions {
  std::size_t particles = 1000;
  Schedule schedule = CessSchedule{};
  ResampleScheme resample = ResampleScheme::stratified;
  double resample_threshold = 0.5;  ///< resample when ESS/N is below; 0 = never (AIS), 1 = always
  KernelOptions kernel = {};
  /// States of a chain in a waste-free run (Dau and Chopin 2022); 0 = off. Each step then draws particles / waste_free
  /// starts and keeps every state of the chains from them as the next particles, `kernel.passes` apart. It resamples
  /// always, whatever `resample_threshold` says.
  std::size_t waste_free = 0;
  /// Where fewer than half of the first draws are possible, more are drawn until as many as the particles are, but no
  /// more than this many in all; four times as many where a pilot has met fewer than two by then. After 100 draws a
  /// particle 50 possible ones will do (docs/impossible.md).
  std::size_t max_prior_draws = 1'000'000;
  double nan_limit = 0.99;         ///< the run fails when more than this share of the evaluations is NaN
  std::size_t max_steps = 100000;  ///< the run fails when alpha = 1 is not reached by then
  /// Keep what path sampling and the alarms look at: mean and variance of the log likelihood at every step, its finer
  /// grid, groups of particles. Without, there is the standard estimate alone, a little sooner.
  bool watch = true;
};

/// Throws InputError that names the option, its value and the range.
void check(const SmcOptions& options);
/// Throws InputError when the options ask for a waste-free run, which this sampler is not made for.
void require_whole_populations(const SmcOptions& options, const std::string& sampler);

struct Run {
  Trace trace;
  Population particles;  ///< weighted draws from the posterior
};

Run direct_evidence(const Model& model, const SmcOptions& options, const Context& context,
                    Observer* observer = nullptr);

/// What the pilot found and frozen runs follow.
struct FrozenPlan {
  std::vector<double> alphas;             ///< alpha_1 .. alpha_T = 1
  std::vector<Calibration> calibrations;  ///< one for each of them
};

struct PilotRun {
  Run run;
  FrozenPlan plan;
};

/// direct_evidence, and the plan that it makes.
PilotRun pilot(const Model& model, const SmcOptions& options, const Context& context, Observer* observer = nullptr);

/// Follows the plan with `options.particles` particles; the schedule, scale rule and number of passes of the options
/// are not used. Resampling still depends on the weights, which does not bias. Random numbers are not those of a pilot
/// in the same context, so both may be given the same; each island needs streams of its own.
/// Throws InputError when the plan is of a model with other coordinates or of a kernel with other groups.
Run frozen_evidence(const Model& model, const FrozenPlan& plan, const SmcOptions& options, const Context& context,
                    Observer* observer = nullptr);

/// Settings for both that were found good by bench/efficiency.cpp: fewer steps and many more moves than a run that must
/// give the evidence alone.
SmcOptions frozen_defaults();

/// A run with a kernel of the caller's. The evidence is right for every kernel that leaves the tempered target
/// invariant; a better one makes its error small.
/// As direct_evidence; `options.kernel` is not looked at. The kernel is calibrated before each move, and belongs to
/// this run alone while it lasts. Throws InputError for bad options.
Run evidence_with_kernel(const Model& model, Kernel& kernel, const SmcOptions& options, const Context& context,
                         Observer* observer = nullptr);

}  // namespace evident
