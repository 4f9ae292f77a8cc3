#include "compare/model_runs.hpp"

namespace evident {

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
  judged.reset();
}

}  // namespace evident
