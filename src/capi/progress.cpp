#include "capi/progress.hpp"

#include "compare/method.hpp"
#include "evident/evidence/estimate.hpp"

namespace evident::capi {

Progress::Progress(const study::Study& study, evident_progress_function function, void* user, std::stop_source stop)
    : function_(function), user_(user), stop_(std::move(stop)) {
  if (study.family) {  // one run serves all models
    names_.emplace_back(info(study.options.method).name);
  } else {
    for (const study::StudyModel& m : study.models) names_.push_back(m.candidate.name);
  }
}

void Progress::on_step(std::size_t model, std::size_t replicate, const Trace& trace) {
  tell(model, replicate, trace, standard_estimate(trace), false);
}

void Progress::on_finish(std::size_t model, std::size_t replicate, const Replicate& result) {
  tell(model, replicate, result.trace, result.log_evidence.value, true);
}

void Progress::tell(std::size_t model, std::size_t replicate, const Trace& trace, double log_evidence, bool finished) {
  const std::size_t steps = trace.steps.size();
  const evident_progress p{.size = sizeof(evident_progress),
                           .name = model < names_.size() ? names_[model].c_str() : "",
                           .model = model,
                           .run = replicate,
                           .step = steps > 0 ? steps - 1 : 0,
                           .alpha = steps > 0 ? trace.steps.back().alpha : kNaN,
                           .log_evidence = log_evidence,
                           .evaluations = trace.evaluations,
                           .finished = finished ? 1 : 0};
  const std::lock_guard lock(mutex_);
  if (stop_.stop_requested()) return;
  if (function_(user_, &p) != 0) stop_.request_stop();
}

}  // namespace evident::capi
