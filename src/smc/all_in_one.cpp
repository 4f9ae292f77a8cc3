// The paper's Algorithm 1, with the schedule and the proposals of Algorithm 4.
#include "smc/all_in_one.hpp"

#include <cmath>

#include "evident/base/log_math.hpp"
#include "evident/evidence/estimate.hpp"
#include "smc/recorder.hpp"
#include "smc/union_kernel.hpp"
#include "smc/union_steps.hpp"

namespace evident {

AllInOneRun all_in_one(const ModelFamily& family, const SmcOptions& options, const UnionOptions& union_options,
                       const Context& context, UnionObserver* observer) {
  check(options);
  require_whole_populations(options, "the all-in-one sampler");
  EvaluationCount count;
  UnionRecorder record(options, count, observer);

  UnionPopulation x = draw_initial(family, options, context, count);  // (M_0, theta_0) ~ p(M) p(theta | M)
  record.initial(x, 0);
  UnionKernel kernel(options.kernel, union_options, family);

  double alpha = 0, next = choose_alpha(options.schedule, {.alpha = 0, .step = 1}, x);
  for (std::uint32_t t = 1; alpha < 1; ++t) {
    Step step = reweight(x, alpha, next);  // W_t ~ W_{t-1} p(y|theta, M)^(alpha_t - alpha_{t-1})
    const double last = next - alpha;
    alpha = next;

    kernel.calibrate(x, alpha);                                                                    // moments, by model
    next = choose_alpha(options.schedule, {.alpha = alpha, .step = t + 1, .last_step = last}, x);  // CESS(next) = CESS*
    step.resampled = resample_if_needed(family, x, options, context, t);
    const MoveReport moved = kernel.move({family, family.prior(), alpha, count}, x, context, t);

    record.step(step, moved, x);
    check_progress(record.trace(), options, context);
  }
  x.share_weights();
  return {record.finish(), std::move(x), kernel.jumps()};
}

double AllInOneRun::log_evidence(const ModelFamily& family, ModelIndex k) const {
  // p(M | y) = p(M) p(y | M) / p(y), and the sampler estimates p(y), the evidence of the union.
  if (particles.count(k) == 0) return -kInf;
  return standard_estimate(trace) + std::log(particles.share(k)) - family.prior().log_probability(k);
}

}  // namespace evident
