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

}  // namespace

Forecast forecast_run(const Model& model, const ModelCheckOptions& options, double seconds_per_likelihood,
                      const Context& context) {
  SmcOptions smc = options.smc;
  const auto wanted = static_cast<double>(smc.particles);
  smc.particles = std::min(smc.particles, kParticles);
  const double finer = coarsen(smc);
  Forecast out{.runs = options.islands > 0 ? options.islands + 1 : options.replicates};
  TimeLimit limit(options.forecast_limit, context.stop);
  try {
    const Run run = direct_evidence(model, smc, {context.streams.part(1), context.executor, limit.token()}, &limit);
    const double more = wanted / static_cast<double>(smc.particles);
    out.steps = finer * static_cast<double>(run.trace.steps.size() - 1);
    out.evaluations = more * finer * static_cast<double>(run.trace.evaluations + run.trace.gradients);
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
