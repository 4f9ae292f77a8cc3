#include "evident/smc/sampler.hpp"

#include <string>

#include "evident/base/error.hpp"
#include "smc/planned_kernels.hpp"
#include "smc/temper.hpp"
#include "smc/waste_free.hpp"

namespace evident {
namespace {

constexpr std::uint64_t kFrozen = 0x66726f7a656eU;  // streams apart from those of the pilot

/// Before any work is done, a kernel tries every calibration on.
void check(const FrozenPlan& plan, const KernelOptions& options, const Model& model) {
  if (plan.alphas.empty()) throw InputError("the plan of a frozen run has no steps: make it by a pilot");
  if (plan.alphas.size() != plan.calibrations.size())
    throw InputError("the plan of a frozen run has " + std::to_string(plan.alphas.size()) + " steps and " +
                     std::to_string(plan.calibrations.size()) + " calibrations; both must be as many");
  const auto kernel = make_kernel(options, model);
  for (const Calibration& c : plan.calibrations) kernel->use(c);
}

}  // namespace

PilotRun pilot(const Model& model, const SmcOptions& options, const Context& context, Observer* observer) {
  check(options);
  FrozenPlan plan;
  const auto kernel = make_mover(std::make_unique<PilotKernel>(make_kernel(options.kernel, model), plan), options);
  Run run = from_prior(model, *kernel, options, context, observer);
  return {std::move(run), std::move(plan)};
}

Run frozen_evidence(const Model& model, const FrozenPlan& plan, const SmcOptions& options, const Context& context,
                    Observer* observer) {
  SmcOptions fixed = options;
  fixed.schedule = ListSchedule{plan.alphas};
  check(plan, fixed.kernel, model);
  check(fixed);
  const auto kernel = make_mover(std::make_unique<FrozenKernel>(make_kernel(fixed.kernel, model), plan), fixed);
  const Context own{context.streams.part(kFrozen), context.executor, context.stop, team_of_one(), context.checkpoint};
  return from_prior(model, *kernel, fixed, own, observer, WhenNone::evidence_is_0);
}

SmcOptions frozen_defaults() {
  return {.particles = 1000,
          .schedule = CessSchedule{0.9},
          .kernel = {.kind = KernelKind::automatic,
                     .grouping = Grouping::blocks,
                     .scale_rule = ScaleRule::jump,
                     .until_mixed = UntilMixed{.log_likelihood = 0.5, .coordinate = 0.7, .most = 50},
                     .own_every = 2}};
}

}  // namespace evident
