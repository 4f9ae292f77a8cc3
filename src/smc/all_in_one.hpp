// All-in-one: one sampler on the union of the models of a family (paper, Algorithm 1, "SMC1").
//
//   const AllInOneRun run = all_in_one(family, {.particles = 1000}, {}, context);
//   run.particles.share(4);                  // posterior probability of model 4
//   run.log_evidence(family, 4);             // log p(y | model 4)
//
// A run that fits its proposals to its own particles gives an evidence of the union that is too high, the more so the
// fewer particles a model has and the more often it is fitted: by 0.09 for 1000 particles in 32 models and 280 steps,
// by 0.02 for 4000. So an adaptive run, the pilot, only makes the plan; frozen runs with other random numbers follow it
// and adapt nothing. The mean over frozen runs of evidence of the union x share of a model is then exactly what the
// model's prior probability and its evidence give, whatever the plan is worth.
//
//   const AllInOnePilot first = all_in_one_pilot(family, options, {}, context);
//   const AllInOneRun island = frozen_all_in_one(family, first.plan, options, {}, {context.streams.part(1), executor});
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "evident/base/context.hpp"
#include "evident/kernel/kernel.hpp"
#include "evident/model/family.hpp"
#include "evident/path/trace.hpp"
#include "evident/smc/sampler.hpp"
#include "particles/union_population.hpp"

namespace evident {

struct UnionOptions {
  std::size_t jump_passes = 1;  ///< proposals of each kind of jump at every step
};

/// How often a kind of jump was tried and accepted.
struct JumpTally {
  std::string name;
  std::size_t proposed = 0, accepted = 0;
};

/// Sees each step of a run on a union of models.
class UnionObserver {
 public:
  virtual ~UnionObserver() = default;
  virtual void on_step(const Trace& trace, const UnionPopulation& particles) = 0;
};

struct AllInOneRun {
  Trace trace;
  UnionPopulation particles;  ///< weighted draws from the posterior of (model, parameters)
  std::vector<JumpTally> jumps;

  /// Log evidence of model k, from that of the union; -inf when no particle ended there.
  double log_evidence(const ModelFamily& family, ModelIndex k) const;
};

AllInOneRun all_in_one(const ModelFamily& family, const SmcOptions& options, const UnionOptions& union_options,
                       const Context& context, UnionObserver* observer = nullptr);

/// What a pilot on a union found and frozen runs follow.
struct UnionPlan {
  /// Of one model: the steps, from 1, at which it had particles enough, and its moves there.
  struct OfModel {
    std::vector<std::uint64_t> steps;
    std::vector<Calibration> calibrations;
  };
  std::vector<double> alphas;  ///< alpha_1 .. alpha_T = 1
  std::map<ModelIndex, OfModel> models;

  /// Of the nearest step, the earlier one of two; null when the pilot never had particles enough in the model.
  const Calibration* at(ModelIndex k, std::uint64_t step) const;
};

struct AllInOnePilot {
  AllInOneRun run;
  UnionPlan plan;
};

/// all_in_one, and the plan that it makes.
AllInOnePilot all_in_one_pilot(const ModelFamily& family, const SmcOptions& options, const UnionOptions& union_options,
                               const Context& context, UnionObserver* observer = nullptr);

/// Follows the plan; the schedule, scale rule and number of passes of the options are not used. A model that the plan
/// does not know is moved as its prior says. Random numbers are not those of a pilot in the same context. Throws
/// InputError when the plan has no steps, or is of other models.
AllInOneRun frozen_all_in_one(const ModelFamily& family, const UnionPlan& plan, const SmcOptions& options,
                              const UnionOptions& union_options, const Context& context,
                              UnionObserver* observer = nullptr);

}  // namespace evident
