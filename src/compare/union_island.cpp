#include "compare/union_island.hpp"

#include <utility>

#include "compare/summary.hpp"

namespace evident {
namespace {

Replicate replicate_of(const std::vector<JumpTally>& jumps, Trace trace) {
  Replicate out;
  out.log_evidence.value = standard_estimate(trace);
  out.path = path_sampling(trace);
  out.log_evidence_path = out.path->best();
  runs::add_jumps(jumps, out);
  out.trace = std::move(trace);
  return out;
}

UnionOptions union_options(const CompareOptions& options) { return {.jump_passes = options.jump_passes}; }

}  // namespace

runs::FinishedFamily finished_union(const ModelFamily& family, AllInOneRun run) {
  runs::FinishedFamily done;
  for (const UnionPopulation::Member& member : run.particles.members) {
    runs::Finished& model = done.models[member.model];
    model.draws = collect_draws(family.model(member.model), member.x);
    model.replicate.log_evidence.value = run.log_evidence(family, member.model);
    model.replicate.probability.value = run.particles.share(member.model);
    model.replicate.support = static_cast<double>(run.particles.count(member.model));
  }
  done.run = replicate_of(run.jumps, std::move(run.trace));
  return done;
}

PlanOfUnion run_union_pilot(const ModelFamily& family, const CompareOptions& options, const Context& context,
                            UnionObserver* observer) {
  AllInOnePilot pilot = all_in_one_pilot(family, options.sampler(), union_options(options), context, observer);
  return {replicate_of(pilot.run.jumps, std::move(pilot.run.trace)), std::move(pilot.plan)};
}

runs::FinishedFamily run_union_island(const ModelFamily& family, const PlanOfUnion& pilot,
                                      const CompareOptions& options, const Context& context, UnionObserver* observer) {
  return finished_union(
      family, frozen_all_in_one(family, pilot.plan, options.sampler(), union_options(options), context, observer));
}

}  // namespace evident
