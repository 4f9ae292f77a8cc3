// The Bayesian information criterion in place of the evidence. It has no posterior draws.
#include "baseline/information_criteria.hpp"
#include "compare/runs/run.hpp"

namespace evident::runs {
namespace {

Finished run_bic(const Candidate& candidate, const CompareOptions&, const Context& context, Observer*) {
  InformationCriteriaRun run = information_criteria(*candidate.model, {}, context);
  Finished done;
  Replicate& replicate = done.replicate;
  replicate.log_evidence.value = run.bic_log_evidence;
  replicate.details = {{"largest_log_likelihood", run.log_likelihood}, {"aic_log_evidence", run.aic}};
  const auto names = candidate.model->parameters().names();
  for (std::size_t j = 0; j < run.theta.size() && j < names.size(); ++j)
    replicate.details.emplace_back("best:" + names[j], run.theta[j]);
  replicate.trace.evaluations = run.evaluations;
  replicate.trace.nan_evaluations = run.nan_evaluations;
  replicate.warnings = std::move(run.warnings);
  return done;
}

}  // namespace

const MethodRun kBic = {{.method = Method::bic,
                         .name = "bic",
                         .title = "BIC and AIC",
                         .summary = "the largest likelihood and a penalty for parameters; a rough guide",
                         .union_of_models = false,
                         .countable = false,
                         .between_models = false,
                         .improbable = true,
                         .no_pairs = true,
                         .no_mixing = true,
                         .parallel = Strength::yes,
                         .no_ergodicity = true,
                         .unjudged = "this is an approximation that knows nothing of the prior and gives no error; use "
                                     "method direct for an evidence that is checked"},
                        run_bic};

}  // namespace evident::runs
