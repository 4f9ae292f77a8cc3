// One sampler for each model; and the same without resampling, which is annealed importance sampling.
#include "evident/smc/sampler.hpp"

#include "compare/island.hpp"
#include "compare/runs/run.hpp"

namespace evident::runs {
namespace {

Finished run_smc(const Candidate& candidate, const SmcOptions& options, const Context& context, Observer* observer) {
  return finished_run(*candidate.model, direct_evidence(*candidate.model, options, context, observer));
}

Finished run_direct(const Candidate& candidate, const CompareOptions& options, const Context& context,
                    Observer* observer) {
  return run_smc(candidate, sampler_of(candidate, options), context, observer);
}

Finished run_ais(const Candidate& candidate, const CompareOptions& options, const Context& context,
                 Observer* observer) {
  SmcOptions smc = sampler_of(candidate, options);
  smc.resample_threshold = 0;
  Finished done = run_smc(candidate, smc, context, observer);
  double squares = 0;
  for (const double w : done.draws.weights) squares += w * w;
  done.replicate.details.emplace_back("effective_draws", 1 / squares);
  return done;
}

}  // namespace

const MethodRun kDirect = {{.method = Method::direct,
                            .name = "direct",
                            .title = "Direct evidence (SMC2)",
                            .summary = "a sampler from prior to posterior for each model",
                            .union_of_models = false,
                            .countable = false,
                            .between_models = false,
                            .improbable = true,
                            .no_pairs = true,
                            .no_mixing = true,
                            .parallel = Strength::yes,
                            .no_ergodicity = true},
                           run_direct};

const MethodRun kAis = {
    {.method = Method::ais,
     .name = "ais",
     .title = "Annealed importance sampling",
     .summary = "the direct sampler without resampling",
     .union_of_models = false,
     .countable = false,
     .between_models = false,
     .improbable = true,
     .no_pairs = true,
     .no_mixing = true,
     .parallel = Strength::yes,
     .no_ergodicity = true,
     .unjudged = "there is no independent check for this method: few draws may carry all the weight, and then its "
                 "error is too small; compare with method direct, which is checked"},
    run_ais};

}  // namespace evident::runs
