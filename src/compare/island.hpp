// Runs of the direct sampler: adaptive ones, and islands that follow the plan of a pilot.
#pragma once

#include "compare/model_runs.hpp"

namespace evident {

/// What a run of the direct sampler gives.
runs::Finished finished_run(const Model& model, Run run);

/// The adaptive run that makes the plan. Both begin at `start`, where there is one, in place of the prior.
PlanOfPilot run_pilot(const Model& model, const PriorAndModes* start, const SmcOptions& options, const Context& context,
                      Observer* observer);
/// One frozen run, and the bridge from its last population.
runs::Finished run_island(const Model& model, const PriorAndModes* start, const PlanOfPilot& pilot,
                          const SmcOptions& options, const Context& context, Observer* observer);

}  // namespace evident
