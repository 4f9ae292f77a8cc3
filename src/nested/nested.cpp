#include "nested/nested.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>

#include "evident/base/error.hpp"
#include "evident/smc/sampler.hpp"
#include "nested/course.hpp"
#include "smc/first_particles.hpp"

namespace evident {
namespace {

constexpr std::uint64_t kFrozenNested = 0x6e6573746564U;  // streams apart from those of the pilot

using Clock = std::chrono::steady_clock;

SmcOptions sampler_options(const NestedOptions& o) {
  return {.particles = o.particles,
          .kernel = o.kernel,
          .max_prior_draws = o.max_prior_draws,
          .nan_limit = o.nan_limit,
          .max_steps = o.max_steps};
}

/// What the level adds to the evidence, and the share of its particles above the next threshold.
void cut(NestedStep& level, double next, const Population& x) {
  std::vector<double> slice, squares;
  for (const double l : x.log_likelihood) {
    if (l > next) continue;
    slice.push_back(level.log_volume + l);
    squares.push_back(2 * slice.back());
  }
  const auto n = static_cast<double>(x.size());
  level.share = (n - static_cast<double>(slice.size())) / n;
  level.log_slice = log_sum_exp(slice) - std::log(n);
  level.log_slice_square = log_sum_exp(squares) - std::log(n);
}

/// The particles above a threshold take the place of the others.
void keep_above(double threshold, Population& x, ResampleScheme scheme, const Streams& streams, std::uint32_t step) {
  AlignedVector<double> inside(x.size());
  std::ranges::transform(x.log_likelihood, inside.begin(), [&](double l) { return l > threshold ? 0.0 : -kInf; });
  x.weights.absorb(inside, 1.0);
  x.select(resample(scheme, x.weights.values(), x.size(), streams, step));
}

class NestedRecorder {
 public:
  NestedRecorder(std::size_t particles, const FirstDraws& first, const EvaluationCount& count, NestedObserver* observer)
      : count_(count), observer_(observer) {
    trace_.particles = particles;
    trace_.first = first;
  }
  const NestedTrace& trace() const { return trace_; }

  void level(NestedStep step, const Population& x) {
    step.log_evidence = log_add_exp(trace_.log_evidence(), step.log_slice);
    step.evaluations = count_.total - trace_.evaluations;
    step.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    trace_.evaluations = count_.total;
    trace_.nan_evaluations = count_.nan;
    trace_.steps.push_back(step);
    if (observer_ != nullptr) observer_->on_step(trace_, x);
  }
  NestedRun finish() {
    const Estimate log_evidence = {trace_.log_evidence(), std::sqrt(trace_.variance())};
    return {log_evidence, std::move(trace_)};
  }

 private:
  NestedTrace trace_;
  const EvaluationCount& count_;
  NestedObserver* observer_;
  Clock::time_point start_ = Clock::now();
};

void check_progress(const NestedTrace& trace, const NestedOptions& options, const Context& context) {
  check_stop_and_nan({.count = trace.nan_evaluations, .evaluations = trace.evaluations}, options.nan_limit, context);
  if (trace.steps.size() > options.max_steps && trace.steps.back().share > 0)
    throw RunError("the peak of the likelihood was not reached within " + std::to_string(options.max_steps) +
                   " thresholds (max_steps)");
}

NestedRun climb(const Model& model, NestedCourse& course, const NestedOptions& options, const Context& context,
                NestedObserver* observer) {
  EvaluationCount count;
  FirstParticles first = draw_prior(model, sampler_options(options), context, count, course.when_none());
  NestedRecorder record(options.particles, first.draws, count, observer);

  Population& x = first.x;
  NestedStep level{.threshold = -kInf, .log_volume = first.log_factor};  // X_0 = 1, where no draw was replaced
  for (std::uint32_t t = 1;; ++t) {
    const double next = course.next_threshold(x, level.log_volume, record.trace());  // l_{t+1}, +inf at the end
    cut(level, next, x);                                                             // Z += X_t mean(L 1[L <= next])
    record.level(level, x);
    check_progress(record.trace(), options, context);
    if (level.share == 0) return record.finish();

    keep_above(next, x, options.resample, context.streams, t);
    const MoveReport moved = course.move(TemperedTarget::above(next, model, count), x, context, t);
    level = {.threshold = next,
             .log_volume = level.log_volume + std::log(level.share),  // X_{t+1} = X_t share
             .acceptance = moved.acceptance,
             .jump = moved.jump,
             .passes = moved.passes};
  }
}

/// Before any work is done, a kernel tries every calibration on.
void check(const NestedPlan& plan, const KernelOptions& options, const Model& model) {
  if (plan.thresholds.size() != plan.calibrations.size())
    throw InputError("the plan of a nested run has " + std::to_string(plan.thresholds.size()) + " thresholds and " +
                     std::to_string(plan.calibrations.size()) + " calibrations; both must be as many");
  for (std::size_t t = 1; t < plan.thresholds.size(); ++t)
    if (!(plan.thresholds[t - 1] < plan.thresholds[t]))
      throw InputError("the thresholds of a nested run must rise, and number " + std::to_string(t + 1) + " does not");
  const auto kernel = make_kernel(options, model);
  for (const Calibration& c : plan.calibrations) kernel->use(c);
}

}  // namespace

void check(const NestedOptions& o) {
  check(sampler_options(o));
  const auto n = static_cast<double>(o.particles);
  if (!(o.keep * n >= 1 && (1 - o.keep) * n >= 1))
    throw InputError("keep must leave at least one particle above and one below, was " + std::to_string(o.keep));
  if (!(o.remaining > 0 && o.remaining < 1))
    throw InputError("remaining must lie between 0 and 1, was " + std::to_string(o.remaining));
}

KernelOptions nested_kernel() {
  return {.kind = KernelKind::crank_nicolson,
          .grouping = Grouping::joint,
          .scale_rule = ScaleRule::jump,
          .until_mixed = UntilMixed{.log_likelihood = 0.3, .coordinate = 0.5}};
}

NestedPilot nested_pilot(const Model& model, const NestedOptions& options, const Context& context,
                         NestedObserver* observer) {
  check(options);
  PilotCourse course(make_kernel(options.kernel, model), options);
  NestedRun run = climb(model, course, options, context, observer);
  return {std::move(run), course.plan()};
}

NestedRun nested_evidence(const Model& model, const NestedPlan& plan, const NestedOptions& options,
                          const Context& context, NestedObserver* observer) {
  check(options);
  check(plan, options.kernel, model);
  PlannedCourse course(make_kernel(options.kernel, model), plan);
  return climb(model, course, options, {context.streams.part(kFrozenNested), context.executor, context.stop}, observer);
}

}  // namespace evident
