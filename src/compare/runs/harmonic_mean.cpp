// From posterior draws alone: Gelfand and Dey's estimate, with the harmonic mean beside it.
#include "baseline/harmonic_mean.hpp"

#include "compare/runs/run.hpp"
#include "compare/summary.hpp"

namespace evident::runs {
namespace {

Finished run_harmonic_mean(const Candidate& candidate, const CompareOptions& options, const Context& context,
                           Observer*) {
  PosteriorChainOptions own = options.posterior_chain;
  own.kernel = sampler_of(candidate, options).kernel;
  HarmonicMeanRun run = harmonic_mean(*candidate.model, own, context);
  Finished done;
  done.draws = collect_draws(*candidate.model, run.draws);
  Replicate& replicate = done.replicate;
  replicate.log_evidence = run.gelfand_dey;
  replicate.details = {{"log_evidence_harmonic_mean", run.harmonic_mean.value},
                       {"log_evidence_harmonic_mean_se", run.harmonic_mean.standard_error},
                       {"inside", run.inside},
                       {"effective_draws", run.effective},
                       {"effective_draws_harmonic_mean", run.effective_harmonic}};
  replicate.trace.evaluations = run.evaluations;
  replicate.trace.nan_evaluations = run.nan_evaluations;
  replicate.warnings = std::move(run.warnings);
  return done;
}

}  // namespace

const MethodRun kHarmonicMean = {
    {.method = Method::harmonic_mean,
     .name = "harmonic-mean",
     .title = "Harmonic mean, Gelfand-Dey",
     .summary = "averages over posterior draws, for reference",
     .union_of_models = false,
     .countable = false,
     .between_models = false,
     .improbable = true,
     .no_pairs = true,
     .no_mixing = true,
     .parallel = Strength::no,
     .no_ergodicity = false,
     .unjudged = "there is no independent check for this method, and its error is known to be too small where a few "
                 "draws carry the estimate; compare with method direct, which is checked"},
    run_harmonic_mean};

}  // namespace evident::runs
