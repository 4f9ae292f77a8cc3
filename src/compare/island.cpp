#include "compare/island.hpp"

#include "compare/summary.hpp"
#include "evidence/variance.hpp"
#include "evident/base/error.hpp"

namespace evident {
namespace {

Replicate replicate_of(Trace trace) {
  Replicate out;
  out.log_evidence = {standard_estimate(trace), evidence_variance(trace).standard_error()};
  out.path = path_sampling(trace);
  out.log_evidence_path = out.path->best();
  out.trace = std::move(trace);
  return out;
}

}  // namespace

runs::Finished finished_run(const Model& model, Run run) {
  Draws draws = collect_draws(model, run.particles);
  return {replicate_of(std::move(run.trace)), std::move(draws)};
}

PlanOfPilot plan_of_pilot(const Model& model, PilotRun pilot, const Context& context) {
  PlanOfPilot out{replicate_of(std::move(pilot.run.trace)), std::move(pilot.plan)};
  const Population& x = pilot.run.particles;
  if (x.z.rows() == 0 || !too_few_for_halves(x.size(), x.z.rows())) return out;
  try {
    out.bridge_density = std::make_shared<const FittedMixture>(bridge_density(model, x, {}, context));
  } catch (const RunError&) {  // the islands try it with their own
  }
  return out;
}

runs::Finished run_island(const Model& model, const PlanOfPilot& pilot, const SmcOptions& options,
                          const Context& context, Observer* observer) {
  Run run = frozen_evidence(model, pilot.plan, options, context, observer);
  BridgeEvidence bridge;
  try {
    bridge = pilot.bridge_density ? bridge_evidence(model, run.particles, *pilot.bridge_density, {}, context)
                                  : bridge_evidence(model, run.particles, {}, context);
  } catch (const RunError& e) {  // particles that cannot carry a bridge; the run itself stands
    bridge.reason = e.what();
  }
  run.trace.evaluations += bridge.evaluations;
  run.trace.nan_evaluations += bridge.nan_evaluations;
  runs::Finished done = finished_run(model, std::move(run));
  done.replicate.bridge = std::move(bridge);
  return done;
}

}  // namespace evident
