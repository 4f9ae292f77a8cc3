// What a run will cost, from one with few particles: how many steps a path takes depends little on their number.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stop_token>
#include <thread>

#include "compare/model_check_parts.hpp"
#include "evident/base/error.hpp"
#include "evident/path/trace.hpp"
#include "evident/smc/sampler.hpp"
#include "smc/first_particles.hpp"

namespace evident {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kParticles = 128;
constexpr double kCoarse = 0.9;  // a finer schedule is forecast from this one

/// Asks the run to end when its time is up, or when the one above it is asked to.
class TimeLimit final : public Observer {
 public:
  TimeLimit(double seconds, std::stop_token above)
      : end_(Clock::now() + std::chrono::duration<double>(seconds)), above_(std::move(above)) {}
  void on_step(const Trace& trace, const Population&) override {
    alpha_ = trace.steps.back().alpha;
    if (Clock::now() >= end_ || above_.stop_requested()) stop_.request_stop();
  }
  std::stop_token token() const { return stop_.get_token(); }
  double alpha() const { return alpha_; }

 private:
  std::chrono::time_point<Clock, std::chrono::duration<double>> end_;
  std::stop_token above_;
  std::stop_source stop_;
  double alpha_ = 0;
};

/// The schedule of the small run, and how many steps of the wanted one stand for one of its.
double coarsen(SmcOptions& smc) {
  auto* cess = std::get_if<CessSchedule>(&smc.schedule);
  if (cess == nullptr || cess->target <= kCoarse) return 1;
  // 1 - CESS grows with the square of a step.
  const double factor = std::sqrt((1 - kCoarse) / (1 - cess->target));
  smc.schedule = CessSchedule{kCoarse};
  return factor;
}

/// Draws of the prior of a run with so many particles, where a run with fewer met this share of possible ones.
double draws_of(std::size_t particles, std::size_t most, double share) {
  const DrawLimits limits = DrawLimits::of(particles, most);
  const auto soft = static_cast<double>(limits.soft), all = static_cast<double>(particles) / share;
  if (all <= soft) return all;
  return std::clamp(static_cast<double>(limits.enough) / share, soft, static_cast<double>(limits.hard));
}

}  // namespace

Forecast forecast_run(const Model& model, const ModelCheckOptions& options, double seconds_per_likelihood,
                      const Context& context) {
  SmcOptions smc = options.smc;
  const auto wanted = static_cast<double>(smc.particles);
  smc.particles = std::min(smc.particles, kParticles);
  const double finer = coarsen(smc);
  // Draws of the prior are no steps, so the clock does not end them.
  const double in_time = options.forecast_limit / std::max(seconds_per_likelihood, 1e-9);
  smc.max_prior_draws = std::min(smc.max_prior_draws, static_cast<std::size_t>(std::min(in_time, 1e9)));
  Forecast out{.runs = options.islands > 0 ? options.islands + 1 : options.replicates};
  TimeLimit limit(options.forecast_limit, context.stop);
  try {
    const Run run = direct_evidence(model, smc, {context.streams.part(1), context.executor, limit.token()}, &limit);
    const double more = wanted / static_cast<double>(smc.particles);
    out.steps = finer * static_cast<double>(run.trace.steps.size() - 1);
    out.evaluations = more * finer * static_cast<double>(run.trace.evaluations + run.trace.gradients);
    if (const FirstDraws& first = run.trace.first; first.made > smc.particles)
      out.evaluations += draws_of(options.smc.particles, options.smc.max_prior_draws, first.share) -
                         more * finer * static_cast<double>(run.trace.steps.front().evaluations);
    const double threads =
        std::min<double>(context.executor.threads(), std::max(1U, std::thread::hardware_concurrency()));
    out.seconds = static_cast<double>(out.runs) * out.evaluations * seconds_per_likelihood / threads;
  } catch (const Error& e) {
    if (context.stop.stop_requested()) throw;
    out.why_not = limit.token().stop_requested()
                      ? fmt::format("a run with {} particles was at alpha = {:.2g} of 1 after {:g} seconds",
                                    smc.particles, limit.alpha(), options.forecast_limit)
                      : fmt::format("a run with {} particles failed: {}", smc.particles, e.what());
  }
  return out;
}

}  // namespace evident
