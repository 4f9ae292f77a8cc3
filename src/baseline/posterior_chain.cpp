#include "baseline/posterior_chain.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

#include "baseline/columns.hpp"
#include "baseline/tuned_kernel.hpp"
#include "evident/base/error.hpp"
#include "evident/smc/sampler.hpp"
#include "particles/resample.hpp"

namespace evident {
namespace {

void check(const PosteriorChainOptions& o) {
  const auto range = [](bool ok, const char* name, std::size_t was, const char* text) {
    if (!ok)
      throw InputError(std::string(name) + " of the posterior's chains must " + text + ", was " + std::to_string(was));
  };
  range(o.chains >= 1 && o.chains <= 1000000, "chains", o.chains, "lie between 1 and 1000000");
  range(o.iterations >= 1, "iterations", o.iterations, "be at least 1");
  range(o.burn_in + o.iterations < 0xFFFFFFFFU, "iterations", o.iterations, "be below 2^32 with the burn-in");
  range(o.kernel.passes >= 1 && o.kernel.passes <= 10000, "passes", o.kernel.passes, "lie between 1 and 10000");
}

SmcOptions quick(const PosteriorChainOptions& o) {
  return {.particles = std::max<std::size_t>(o.chains, 256), .schedule = CessSchedule{0.95}, .kernel = o.kernel};
}

}  // namespace

PosteriorChainRun posterior_chain(const Model& model, const PosteriorChainOptions& options, const Context& context) {
  check(options);
  const Context starting{context.streams.part(1), context.executor, context.stop};
  Run start = direct_evidence(model, quick(options), starting);
  Population x(model, options.chains);
  x.assign(start.particles,
           resample(ResampleScheme::stratified, start.particles.weights.values(), options.chains, context.streams, 0));

  EvaluationCount count;
  const TemperedTarget target(model, 1.0, count);
  TunedKernel kernel(model, options.kernel, std::clamp<std::size_t>(options.burn_in / 50, 10, 200));
  kernel.start(std::move(start.particles), 1.0);

  PosteriorChainRun run{.draws = Population(model, options.chains * options.iterations),
                        .chains = options.chains,
                        .iterations = options.iterations};
  for (std::size_t t = 0; t < options.burn_in + options.iterations; ++t) {
    const MoveReport moved = kernel.move(target, x, context, static_cast<std::uint32_t>(t + 1));
    if (context.stop.stop_requested()) throw RunError("stopped before the end");
    if (t < options.burn_in) {
      kernel.learn(x, moved, 1.0);
      continue;
    }
    run.acceptance += moved.acceptance / static_cast<double>(options.iterations);
    for (std::size_t c = 0; c < options.chains; ++c)
      copy_particle(x, c, run.draws, (t - options.burn_in) * options.chains + c);
  }
  run.evaluations = count.total + start.trace.evaluations;
  run.nan_evaluations = count.nan + start.trace.nan_evaluations;
  return run;
}

}  // namespace evident
