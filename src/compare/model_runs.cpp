#include "compare/model_runs.hpp"

#include <utility>

#include "scout/mode_mixture.hpp"

namespace evident {

void ModelRuns::begin_at(Scouted found, const Model& model) {
  constexpr double kOfPrior = 0.02;  // of the first particles: no part of the posterior is left out
  constexpr double kFiner = 10;      // the path is short, and its steps can be
  earlier_evaluations += found.evaluations;
  const bool moves_are_ours = !model.has_initial() && !model.has_own_move();
  if (auto mixture = mode_mixture(found); mixture && moves_are_ours) {
    if (auto* cess = std::get_if<CessSchedule>(&smc.schedule)) cess->target = 1 - (1 - cess->target) / kFiner;
    smc.kernel.modes = std::make_shared<const FittedMixture>(*mixture);
    start = std::make_shared<const PriorAndModes>(model, std::move(*mixture), kOfPrior);
  } else if (moves_are_ours && !modes_are_known(found)) {
    smc.kernel.apart = rows_apart(found);
  }
  modes = std::move(found);
}

std::vector<IslandNumbers> ModelRuns::islands() const {
  std::vector<IslandNumbers> out;
  for (const runs::Finished& f : finished) {
    const Replicate& r = f.replicate;
    IslandNumbers& one = out.emplace_back(IslandNumbers{.log_evidence = r.log_evidence});
    if (!r.bridge) continue;
    one.bridge = r.bridge->log_evidence;
    one.bridge_usable = r.bridge->usable;
    one.bridge_efficiency = r.bridge->agreement.efficiency;
  }
  return out;
}

void ModelRuns::begin_again(std::size_t factor) {
  forget_judgement();
  earlier_evaluations += pilot->replicate.trace.evaluations;
  for (const runs::Finished& f : finished) earlier_evaluations += f.replicate.trace.evaluations;
  first += finished.size();
  finished.clear();
  pilot.reset();
  smc.particles *= factor;
}

void ModelRuns::forget_judgement() {
  if (judged) earlier_evaluations += judged->nested_evaluations;
  if (judged && judged->nan) earlier_evaluations += judged->nan->fresh_evaluations;
  judged.reset();
}

}  // namespace evident
