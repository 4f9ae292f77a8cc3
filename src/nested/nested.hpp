// Nested sampling by sequential Monte Carlo: thresholds on the likelihood instead of powers of it (Salomone, South,
// Johansen, Drovandi and Kroese 2018). docs/nested.md says when it helps.
//
// With thresholds l_1 < ... < l_T and X_t the share of the prior whose log likelihood is above l_t,
//   Z = sum_t X_t mean(L 1[l_t < log L <= l_{t+1}]) + X_T mean(L),
// where each mean is over particles of the prior above l_t. Where two phases of different energy cross, powers of the
// likelihood ask particles to find the narrow one at once; thresholds lead there through every energy in between.
//
// The pilot chooses thresholds and moves from its own particles; frozen runs follow its plan and are unbiased.
//
//   const NestedCheck e = nested_cross_check(*model, {.particles = 1000}, 8, context);
//
// or step by step:
//
//   const NestedPilot first = nested_pilot(*model, options, context);
//   const NestedRun run = nested_evidence(*model, first.plan, options, context);
//   run.log_evidence.value, run.log_evidence.standard_error;
#pragma once

#include <cstddef>
#include <vector>

#include "evident/base/context.hpp"
#include "evident/base/estimate.hpp"
#include "evident/kernel/kernel.hpp"
#include "evident/kernel/options.hpp"
#include "evident/model/model.hpp"
#include "evident/particles/population.hpp"
#include "evident/path/trace.hpp"
#include "particles/resample.hpp"

namespace evident {

/// Moves that were found good for thresholds. A model's own move is not used: it knows powers only.
KernelOptions nested_kernel();

struct NestedOptions {
  std::size_t particles = 1000;
  double keep = 0.5;  ///< share of the particles that the pilot leaves above the next threshold
  KernelOptions kernel = nested_kernel();
  ResampleScheme resample = ResampleScheme::stratified;
  std::size_t max_prior_draws = 1'000'000;  ///< as in SmcOptions
  double nan_limit = 0.99;                  ///< the run fails when more than this share of the evaluations is NaN
  std::size_t max_steps = 100000;           ///< the pilot fails when it needs more thresholds
  /// The pilot ends when X_t x the largest likelihood of its particles is below this share of the evidence. A spike
  /// that lies deeper is missed; ten times smaller costs 2.3 / log(1 / keep) more steps.
  double remaining = 1e-3;
};

/// Throws InputError that names the option, its value and the range.
void check(const NestedOptions& options);

/// One level: particles of the prior above a threshold.
struct NestedStep {
  double threshold = 0;         ///< l_t; -inf for the whole prior, steps[0]
  double log_volume = 0;        ///< log X_t
  double share = 0;             ///< of the particles above the next threshold; 0 at the last level
  double log_slice = 0;         ///< log X_t mean(L 1[log L <= l_{t+1}]): what the level adds to the evidence
  double log_slice_square = 0;  ///< log X_t^2 mean(L^2 1[log L <= l_{t+1}])
  double log_evidence = 0;      ///< log of the evidence so far, this level included
  double acceptance = 0;        ///< of the move that made this level
  double jump = 0;              ///< as in Step
  std::size_t passes = 0;
  std::size_t evaluations = 0;
  double seconds = 0;  ///< since the run began
};

struct NestedTrace {
  std::vector<NestedStep> steps;  ///< steps[0].log_volume is 0, or what further draws of the prior make of it
  FirstDraws first = {};
  std::size_t particles = 0;
  std::size_t evaluations = 0;
  std::size_t nan_evaluations = 0;

  double log_evidence() const;
  /// How many of its thresholds matter: a hundredth of the evidence or more is above them.
  std::size_t thresholds_that_matter() const;
  /// The fewest particles that passed one of the first so many thresholds; 0 when it ended before them, infinite when
  /// there is none.
  double fewest_passed(std::size_t thresholds) const;
  /// Variance of log Z if the particles of a level were independent of each other and of the level before. Moves are
  /// not that good, so it is a lower bound. NaN when the evidence is 0.
  double variance() const;
};

class NestedObserver {
 public:
  virtual ~NestedObserver() = default;
  /// When a level is complete; trace.steps.back() is it, and the particles are those of the level.
  virtual void on_step(const NestedTrace& trace, const Population& particles) = 0;
};

struct NestedRun {
  Estimate log_evidence = {};  ///< its error is the root of NestedTrace::variance(): what one run can tell
  NestedTrace trace;
};

struct NestedPlan {
  std::vector<double> thresholds;         ///< l_1 < l_2 < ... < l_T; none when the likelihood is constant
  std::vector<Calibration> calibrations;  ///< one for each of them
};

struct NestedPilot {
  NestedRun run;
  NestedPlan plan;
};

/// Throws RunError when every draw from the prior is impossible.
NestedPilot nested_pilot(const Model& model, const NestedOptions& options, const Context& context,
                         NestedObserver* observer = nullptr);

/// Follows the plan with `options.particles` particles. When none of them is above a threshold, the evidence beyond it
/// counts as 0, so the estimate is unbiased whatever the plan is worth. Random numbers are not those of a pilot in the
/// same context. Throws InputError when the plan is of a model with other coordinates or of a kernel with other groups.
NestedRun nested_evidence(const Model& model, const NestedPlan& plan, const NestedOptions& options,
                          const Context& context, NestedObserver* observer = nullptr);

struct NestedCheck {
  Estimate log_evidence = {};
  /// The fewest particles that passed a threshold that matters in any of the runs; 0 where a run ended before. Few make
  /// an error that cannot be read.
  double fewest_passed = 0;
  std::size_t evaluations = 0;  ///< of all the runs
};

/// A pilot, then so many frozen runs side by side. Each that is finished is kept under the context's key.
NestedCheck nested_cross_check(const Model& model, const NestedOptions& options, std::size_t islands,
                               const Context& context);

}  // namespace evident
