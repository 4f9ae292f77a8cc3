// Frozen runs of one model, and what they tell together.
#pragma once

#include <memory>

#include "compare/runs/run.hpp"
#include "evident/compare/compare.hpp"
#include "evident/dist/fitted_mixture.hpp"
#include "evident/smc/frozen.hpp"

namespace evident {

/// What a run of the direct sampler gives.
runs::Finished finished_run(const Model& model, Run run);

/// What a pilot leaves: its own numbers, and the plan.
struct PlanOfPilot {
  Replicate replicate;
  FrozenPlan plan;
  std::shared_ptr<const FittedMixture> bridge_density = {};  ///< where an island's own draws are too few for one
};
PlanOfPilot plan_of_pilot(const Model& model, PilotRun pilot, const Context& context);

/// One frozen run, and the bridge from its last population.
runs::Finished run_island(const Candidate& candidate, const PlanOfPilot& pilot, const SmcOptions& options,
                          const Context& context, Observer* observer);

/// A number with its error and the degrees of freedom of that.
struct Estimate {
  double value = kNaN, error = kNaN, degrees = kNaN;
  bool known() const;
};

/// What the islands of one model say together.
struct IslandsTogether {
  Estimate standard, bridge;
  Estimate best;         ///< both combined where they agree, the standard estimate where they do not
  double island_sd = 0;  ///< of the standard estimates; NaN for one island
};
IslandsTogether together(const std::vector<const Replicate*>& islands);

/// Alarms of islands that differ by more than their errors.
std::vector<Reason> disagreement(const std::vector<const Replicate*>& islands);

/// Does what the islands say contradict itself, so that nothing but better islands can settle it?
bool in_doubt(const ModelResult& judged);

/// Fills in the evidence with its error, the verdict and its reasons. The replicates of `result` are the islands and
/// `draws` are those of the islands; `context` is that of the pilot.
void judge_islands(const Candidate& candidate, const std::vector<Draws>& draws, const Goal& goal,
                   const Context& context, ModelResult& result);
/// The verdict on adaptive runs, which have only their own numbers and each other.
void judge_adaptive_runs(const Candidate& candidate, const std::vector<Draws>& draws, const Context& context,
                         ModelResult& result);

}  // namespace evident
