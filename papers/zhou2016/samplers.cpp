#include "samplers.hpp"

#include <algorithm>
#include <cmath>

#include "evident/evidence/estimate.hpp"

namespace zhou2016 {

using namespace evident;

Estimates estimates(const Trace& trace) {
  std::vector<double> x, y;
  for (const Step& step : trace.steps) {
    x.push_back(step.alpha);
    y.push_back(step.mean);
  }
  return {.standard = standard_estimate(trace),
          .path = trace.log_initial + integrate(Rule::trapezoid, x, y),
          .path_guarded = path_sampling(trace).estimate[0][0],
          .steps = trace.steps.size() - 1,
          .evaluations = trace.evaluations};
}

std::vector<Estimates> direct_runs(const Settings& settings, std::size_t count, RunIdentity identity,
                                   const Model& model, const SmcOptions& options) {
  return replicate<Estimates>(settings, count, identity, [&](const Context& context) {
    return estimates(direct_evidence(model, options, context).trace);
  });
}

std::vector<double> values(const std::vector<Estimates>& runs, Member member) {
  std::vector<double> out;
  for (const Estimates& run : runs) out.push_back(run.*member);
  return out;
}

double mean_steps(const std::vector<Estimates>& runs) {
  double sum = 0;
  for (const Estimates& run : runs) sum += static_cast<double>(run.steps);
  return sum / static_cast<double>(runs.size());
}

KernelOptions manual_kernel(std::function<double(std::size_t, double)> scale, Grouping grouping) {
  return {.grouping = grouping,
          .scale_rule = ScaleRule::manual,
          .passes = 1,
          .own_moves = false,
          .manual = std::move(scale)};
}

double cess_for_steps(const Settings& settings, const Model& model, SmcOptions options, std::size_t steps) {
  options.particles = std::min<std::size_t>(options.particles, 256);
  double drop = 1e-3;
  // The number of steps goes with the inverse square root of the drop.
  for (std::uint32_t pilot = 0; pilot < 3; ++pilot) {
    options.schedule = CessSchedule{1 - drop};
    const auto runs = direct_runs(settings, 1, {.data_set = 1000 + pilot, .model = 999}, model, options);
    const double ratio = mean_steps(runs) / static_cast<double>(steps);
    drop = std::clamp(drop * ratio * ratio, 1e-9, 0.5);
  }
  return 1 - drop;
}

}  // namespace zhou2016
