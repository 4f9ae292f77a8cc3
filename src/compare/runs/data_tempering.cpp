// One observation after another.
#include "smc/data_tempering.hpp"

#include "compare/runs/run.hpp"
#include "compare/summary.hpp"

namespace evident::runs {
namespace {

Finished run_data_tempering(const Candidate& candidate, const CompareOptions& options, const Context& context,
                            Observer* observer) {
  DataTemperingRun run = data_tempering(*candidate.model, sampler_of(candidate, options), context, observer);
  Finished done;
  done.draws = collect_draws(*candidate.model, run.particles);
  done.replicate.log_evidence.value = run.log_evidence();
  for (std::size_t t = 0; t < run.log_predictive.size(); ++t)
    done.replicate.details.emplace_back("log_predictive:" + std::to_string(t + 1), run.log_predictive[t]);
  done.replicate.trace = std::move(run.trace);
  return done;
}

}  // namespace

const MethodRun kDataTempering = {
    {.method = Method::data_tempering,
     .name = "data-tempering",
     .title = "Data tempering",
     .summary = "one observation after another, each with its predictive density",
     .union_of_models = false,
     .countable = false,
     .between_models = false,
     .improbable = true,
     .no_pairs = true,
     .no_mixing = true,
     .parallel = Strength::yes,
     .no_ergodicity = true,
     .unjudged = "there is no independent check for this method: the run fits its moves to its own particles, and a "
                 "part of the posterior that it lost leaves no trace; compare with method direct, which is checked"},
    run_data_tempering};

}  // namespace evident::runs
