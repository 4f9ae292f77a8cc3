// The paper's Algorithm 1, with the schedule and the proposals of Algorithm 4.
#include "smc/all_in_one.hpp"

#include <algorithm>
#include <cmath>

#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "evident/evidence/estimate.hpp"
#include "smc/recorder.hpp"
#include "smc/union_kernel.hpp"
#include "smc/union_steps.hpp"

namespace evident {

namespace {

constexpr std::uint64_t kFrozenUnion = 0x66726f7a656eU;  // streams apart from those of the pilot

AllInOneRun run_on_union(const ModelFamily& family, UnionKernel& kernel, const SmcOptions& options,
                         const Context& context, UnionObserver* observer) {
  EvaluationCount count;
  UnionRecorder record(options, count, observer);

  UnionPopulation x = draw_initial(family, options, context, count);  // (M_0, theta_0) ~ p(M) p(theta | M)
  record.initial(x, 0);

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

void check_union(const SmcOptions& options) {
  check(options);
  require_whole_populations(options, "the all-in-one sampler");
}

}  // namespace

AllInOneRun all_in_one(const ModelFamily& family, const SmcOptions& options, const UnionOptions& union_options,
                       const Context& context, UnionObserver* observer) {
  check_union(options);
  UnionKernel kernel(options.kernel, union_options, family);
  return run_on_union(family, kernel, options, context, observer);
}

AllInOnePilot all_in_one_pilot(const ModelFamily& family, const SmcOptions& options, const UnionOptions& union_options,
                               const Context& context, UnionObserver* observer) {
  check_union(options);
  UnionPlan plan;
  UnionKernel kernel(options.kernel, union_options, family);
  kernel.write_to(plan);
  AllInOneRun run = run_on_union(family, kernel, options, context, observer);
  return {std::move(run), std::move(plan)};
}

AllInOneRun frozen_all_in_one(const ModelFamily& family, const UnionPlan& plan, const SmcOptions& options,
                              const UnionOptions& union_options, const Context& context, UnionObserver* observer) {
  if (plan.alphas.empty()) throw InputError("the plan of a frozen run has no steps: make it by a pilot");
  SmcOptions fixed = options;
  fixed.schedule = ListSchedule{plan.alphas};
  check_union(fixed);
  UnionKernel kernel(fixed.kernel, union_options, family);
  kernel.follow(plan);
  return run_on_union(family, kernel, fixed, {context.streams.part(kFrozenUnion), context.executor, context.stop},
                      observer);
}

const Calibration* UnionPlan::at(ModelIndex k, std::uint64_t step) const {
  const auto found = models.find(k);
  if (found == models.end() || found->second.steps.empty()) return nullptr;
  const std::vector<std::uint64_t>& steps = found->second.steps;
  auto nearest = std::ranges::lower_bound(steps, step);
  if (nearest == steps.end() || (nearest != steps.begin() && step - *std::prev(nearest) <= *nearest - step)) --nearest;
  return &found->second.calibrations[static_cast<std::size_t>(nearest - steps.begin())];
}

double AllInOneRun::log_evidence(const ModelFamily& family, ModelIndex k) const {
  // p(M | y) = p(M) p(y | M) / p(y), and the sampler estimates p(y), the evidence of the union.
  if (particles.count(k) == 0) return -kInf;
  return standard_estimate(trace) + std::log(particles.share(k)) - family.prior().log_probability(k);
}

}  // namespace evident
