#include "compare/island.hpp"

#include "compare/summary.hpp"
#include "evidence/variance.hpp"
#include "evident/base/error.hpp"
#include "path/place.hpp"
#include "smc/from_density.hpp"

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

/// The path of a run: from the prior of its model, or from where its modes are.
class Path {
 public:
  Path(const Model& model, const PriorAndModes* start) : model_(model), start_(start) {
    if (start != nullptr) from_.emplace(model, *start);
  }
  const Model& model() const { return from_ ? *from_ : model_; }
  Population particles_of_model(Population x) const { return from_ ? from_->particles_of_model(std::move(x)) : x; }
  /// Its NaN are at coordinates of the path, which are not the model's parameters when it begins at modes.
  Trace trace_of_model(Trace trace) const {
    for (std::vector<double>& point : trace.nan_points)
      if (from_) point = parameters_at(model_.parameters(), point);
    return trace;
  }
  BridgeOptions bridge() const { return {.modes = start_ == nullptr ? nullptr : &start_->modes()}; }

 private:
  const Model& model_;
  const PriorAndModes* start_;
  std::optional<FromDensity> from_;
};

}  // namespace

runs::Finished finished_run(const Model& model, Run run) {
  Draws draws = collect_draws(model, run.particles);
  return {replicate_of(std::move(run.trace)), std::move(draws)};
}

PlanOfPilot run_pilot(const Model& model, const PriorAndModes* start, const SmcOptions& options, const Context& context,
                      Observer* observer) {
  const Path path(model, start);
  PilotRun pilot = evident::pilot(path.model(), options, context, observer);
  PlanOfPilot out{replicate_of(path.trace_of_model(std::move(pilot.run.trace))), std::move(pilot.plan)};
  const Population x = path.particles_of_model(std::move(pilot.run.particles));
  if (x.z.rows() == 0 || !too_few_for_halves(x.size(), x.z.rows())) return out;
  try {
    out.bridge_density = std::make_shared<const FittedMixture>(bridge_density(model, x, path.bridge(), context));
  } catch (const FatalError&) {
    throw;
  } catch (const RunError&) {  // the islands try it with their own
  }
  return out;
}

runs::Finished run_island(const Model& model, const PriorAndModes* start, const PlanOfPilot& pilot,
                          const SmcOptions& options, const Context& context, Observer* observer) {
  const Path path(model, start);
  Run run = frozen_evidence(path.model(), pilot.plan, options, context, observer);
  run.particles = path.particles_of_model(std::move(run.particles));
  run.trace = path.trace_of_model(std::move(run.trace));
  BridgeEvidence bridge;
  try {
    bridge = pilot.bridge_density ? bridge_evidence(model, run.particles, *pilot.bridge_density, {}, context)
                                  : bridge_evidence(model, run.particles, path.bridge(), context);
  } catch (const FatalError&) {
    throw;
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
