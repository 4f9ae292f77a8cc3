// The loop of the paper's Algorithms 2 and 4. docs/algorithm.md sets the lines of the paper beside the lines of this
// file.
#include "smc/temper.hpp"

#include "smc/steps.hpp"

namespace evident {

void temper(const Model& model, Population& x, const Tempering& loop) {
  const auto& [options, context, count, kernel, record, from, to, move, notes] = loop;

  auto [t, alpha, next] = notes != nullptr ? notes->position() : RunPosition{};
  if (t == 1) next = choose_alpha(options.schedule, {.alpha = 0, .step = 1}, x);
  for (; alpha < 1; ++t) {
    Step step = reweight(x, alpha, next, options.watch);  // W_t ~ W_{t-1} p(y|theta)^(alpha_t - alpha_{t-1})
    const double last = next - alpha;
    alpha = next;

    kernel.calibrate(x, alpha);                                                                    // moments of pi_t
    next = choose_alpha(options.schedule, {.alpha = alpha, .step = t + 1, .last_step = last}, x);  // CESS(next) = CESS*
    step.resampled = resample_if_needed(x, options, context, t);
    MoveReport moved;
    if (step.resampled || move == MoveWhen::always) {
      moved = kernel.move(TemperedTarget(model, alpha, count), x, context, t);
      share_results(x, count);
    }

    step.alpha = alpha < 1 ? from + alpha * (to - from) : to;
    record.step(step, moved, x);
    if (notes != nullptr) notes->write({t + 1, alpha, next}, record.trace(), kernel, x);
    check_progress(record.trace(), options, context, &model);
  }
}

}  // namespace evident
