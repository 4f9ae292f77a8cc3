// One sampler on the union of the models.
#include "smc/all_in_one.hpp"

#include "compare/runs/run.hpp"
#include "compare/summary.hpp"

namespace evident::runs {
namespace {

FinishedFamily run_all_in_one(const FamilyCandidate& candidate, const CompareOptions& options, const Context& context,
                              UnionObserver* observer) {
  const ModelFamily& family = *candidate.family;
  AllInOneRun run = all_in_one(family, options.sampler(), {.jump_passes = options.jump_passes}, context, observer);
  FinishedFamily done;
  for (const UnionPopulation::Member& member : run.particles.members) {
    Finished& model = done.models[member.model];
    model.draws = collect_draws(family.model(member.model), member.x);
    model.replicate.log_evidence.value = run.log_evidence(family, member.model);
    model.replicate.probability.value = run.particles.share(member.model);
    model.replicate.support = static_cast<double>(run.particles.count(member.model));
  }
  done.run.log_evidence.value = standard_estimate(run.trace);
  done.run.path = path_sampling(run.trace);
  done.run.log_evidence_path = done.run.path->best();
  add_jumps(run.jumps, done.run);
  done.run.trace = std::move(run.trace);
  return done;
}

}  // namespace

const MethodRun kAllInOne = {{.method = Method::all_in_one,
                              .name = "all-in-one",
                              .title = "All in one (SMC1)",
                              .summary = "one sampler on the union of the models",
                              .union_of_models = true,
                              .countable = true,
                              .between_models = true,
                              .improbable = false,
                              .no_pairs = true,
                              .no_mixing = false,
                              .parallel = Strength::yes,
                              .no_ergodicity = true},
                             nullptr,
                             run_all_in_one};

}  // namespace evident::runs
