// Pilot and frozen runs: an unbiased estimate of the evidence.
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
//   const Estimate all = island_evidence(log_evidences);         // evidence/islands.hpp
#pragma once

#include <vector>

#include "evident/kernel/calibration.hpp"
#include "evident/smc/direct_evidence.hpp"

namespace evident {

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

}  // namespace evident
