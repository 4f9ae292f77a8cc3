// Chib's method, for models that bring a Gibbs sampler along.
#include "evident/model/model.hpp"

#include "compare/runs/run.hpp"
#include "evident/base/error.hpp"

namespace evident::runs {
namespace {

Finished run_chib(const Candidate& candidate, const CompareOptions& options, const Context& context, Observer*) {
  const auto* model = dynamic_cast<const ChibModel*>(candidate.model.get());
  if (model == nullptr)
    throw InputError("method chib needs a Gibbs sampler, which this model does not have; use direct");
  ChibOptions own = options.chib;
  own.stop = context.stop;
  const ChibEstimate estimate = model->chib(own, context.streams);
  Finished done;
  done.replicate.log_evidence = estimate.log_evidence;
  done.replicate.details = {{"log_evidence_uncorrected", estimate.log_evidence_uncorrected},
                            {"label_orders", static_cast<double>(estimate.label_orders)},
                            {"sweeps", static_cast<double>(estimate.sweeps)}};
  const auto names = candidate.model->parameters().names();
  for (std::size_t j = 0; j < estimate.point.size() && j < names.size(); ++j)
    done.replicate.details.emplace_back("point:" + names[j], estimate.point[j]);
  return done;
}

}  // namespace

const MethodRun kChib = {{.method = Method::chib,
                          .name = "chib",
                          .title = "Chib's method",
                          .summary = "prior x likelihood / posterior at one point, from Gibbs sweeps",
                          .union_of_models = false,
                          .countable = false,
                          .between_models = false,
                          .improbable = true,
                          .no_pairs = true,
                          .no_mixing = true,
                          .parallel = Strength::no,
                          .no_ergodicity = false,
                          .unjudged = "there is no independent check for this method: chains that never met a part of "
                                      "the posterior show nothing of it; compare with method direct, which is checked"},
                         run_chib};

}  // namespace evident::runs
