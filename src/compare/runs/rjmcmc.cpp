// Reversible-jump chains on the union of the models.
#include "baseline/rjmcmc.hpp"

#include "compare/runs/run.hpp"
#include "compare/summary.hpp"

namespace evident::runs {
namespace {

FinishedFamily run_rjmcmc(const FamilyCandidate& candidate, const CompareOptions& options, const Context& context,
                          UnionObserver*) {
  const ModelFamily& family = *candidate.family;
  RjmcmcOptions chains = options.rjmcmc;
  chains.kernel = options.sampler().kernel;
  const RjmcmcRun run = rjmcmc(family, chains, {.jump_passes = options.jump_passes}, context);
  FinishedFamily done;
  for (const auto& [k, visits] : run.visits) {
    Finished& model = done.models[k];
    model.draws = collect_draws(family.model(k), visits.draws);
    model.replicate.probability = visits.share;
    model.replicate.support = static_cast<double>(visits.visits);
  }
  done.run.details.emplace_back("chains", static_cast<double>(chains.chains));
  done.run.details.emplace_back("acceptance", run.acceptance);
  add_jumps(run.jumps, done.run);
  done.run.trace.evaluations = run.evaluations;
  done.run.trace.nan_evaluations = run.nan_evaluations;
  return done;
}

}  // namespace

const MethodRun kRjmcmc = {
    {.method = Method::rjmcmc,
     .name = "rjmcmc",
     .title = "Reversible-jump MCMC",
     .summary = "chains that walk over parameters and models",
     .union_of_models = true,
     .countable = true,
     .between_models = true,
     .improbable = false,
     .no_pairs = false,
     .no_mixing = false,
     .parallel = Strength::no,
     .no_ergodicity = false,
     .unjudged = "there is no independent check for this method: the errors hold only if the chains went to every "
                 "model and every mode that matters; compare with method all-in-one or direct, which are checked"},
    nullptr,
    run_rjmcmc};

}  // namespace evident::runs
