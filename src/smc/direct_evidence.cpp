// The paper's Algorithms 2 and 4. docs/algorithm.md sets the lines of the paper beside the lines of this file.
#include "evident/smc/direct_evidence.hpp"

#include "evident/kernel/kernel.hpp"
#include "smc/recorder.hpp"
#include "smc/steps.hpp"

namespace evident {

Run direct_evidence(const Model& model, const SmcOptions& options, const Context& context, Observer* observer) {
  check(options);
  EvaluationCount count;
  Recorder record(options, count, observer);

  Population x = draw_initial(model, options, context, count);  // theta_0 ~ nu
  record.initial(x, weight_initial(model, x));                  // W_0 = prior / nu
  resample_if_needed(x, options, context, 0);
  const std::unique_ptr<Kernel> kernel = make_kernel(options.kernel, model);

  double alpha = 0, next = choose_alpha(options.schedule, {.alpha = 0, .step = 1}, x);
  for (std::uint32_t t = 1; alpha < 1; ++t) {
    Step step = reweight(x, alpha, next);  // W_t ~ W_{t-1} p(y|theta)^(alpha_t - alpha_{t-1})
    const double last = next - alpha;
    alpha = next;

    kernel->calibrate(x, alpha);                                                                   // moments of pi_t
    next = choose_alpha(options.schedule, {.alpha = alpha, .step = t + 1, .last_step = last}, x);  // CESS(next) = CESS*
    step.resampled = resample_if_needed(x, options, context, t);
    const MoveReport moved = kernel->move(TemperedTarget(model, alpha, count), x, context, t);

    record.step(step, moved, x);
    check_progress(record.trace(), options, context);
  }
  return {record.finish(), std::move(x)};
}

}  // namespace evident
