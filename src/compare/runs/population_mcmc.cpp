// Tempered chains that exchange their states; the evidence by path sampling over the ladder.
#include "baseline/population_mcmc.hpp"

#include "compare/runs/run.hpp"
#include "compare/summary.hpp"

namespace evident::runs {
namespace {

double smallest(const std::vector<double>& values) {
  double least = kNaN;
  for (const double v : values)
    if (!(v >= least)) least = v;
  return least;
}

Finished run_population_mcmc(const Candidate& candidate, const CompareOptions& options, const Context& context,
                             Observer*) {
  PopulationMcmcOptions own = options.population_mcmc;
  own.kernel = sampler_of(candidate, options).kernel;
  PopulationMcmcRun run = population_mcmc(*candidate.model, own, context);
  Finished done;
  done.draws = collect_draws(*candidate.model, run.draws);
  Replicate& replicate = done.replicate;
  replicate.log_evidence = run.log_evidence;
  replicate.log_evidence_path = run.log_evidence.value;
  replicate.details = {{"log_evidence_corrected", run.log_evidence_corrected},
                       {"log_evidence_stepping", run.log_evidence_stepping},
                       {"chains", static_cast<double>(run.alphas.size())},
                       {"ladders", static_cast<double>(own.ladders)},
                       {"start", static_cast<double>(run.start)},
                       {"smallest_exchange_acceptance", smallest(run.exchange_acceptance)}};
  replicate.trace = std::move(run.trace);
  replicate.trace.evaluations = run.evaluations;
  replicate.trace.nan_evaluations = run.nan_evaluations;
  replicate.warnings = std::move(run.warnings);
  return done;
}

}  // namespace

const MethodRun kPopulationMcmc = {
    {.method = Method::population_mcmc,
     .name = "population-mcmc",
     .title = "Population MCMC",
     .summary = "tempered chains that exchange states, with path sampling",
     .union_of_models = false,
     .countable = false,
     .between_models = false,
     .improbable = true,
     .no_pairs = true,
     .no_mixing = true,
     .parallel = Strength::partly,
     .no_ergodicity = false,
     .unjudged =
         "there is no independent check for this method: chains that never met a part of the posterior show nothing of "
         "it, and few rungs make the evidence too low; compare with method direct, which is checked"},
    run_population_mcmc};

}  // namespace evident::runs
