// From one round of runs to the next: what to add, and what starts again with more particles.
#pragma once

#include <vector>

#include "compare/next_round.hpp"
#include "compare/runner.hpp"

namespace evident {

/// The models as they begin. A run against the clock begins with a quarter of the particles: then there is an answer
/// early, and a forecast.
std::vector<ModelRuns> first_models(const std::vector<Candidate>& candidates, const CompareOptions& options);
RoundPlan first_round(const CompareOptions& options, std::size_t models);
/// More islands where the goal needs them; nothing when it is met, or none was set.
RoundPlan toward_goal(const Runner& runner, std::vector<ModelRuns>& models);
/// Twice the particles for models whose islands contradict each other.
RoundPlan where_in_doubt(const Runner& runner, const std::vector<ModelRuns>& models);
/// Makes the models ready for a round after the first, and reports it to the observer.
void begin_round(std::size_t number, const RoundPlan& plan, const Runner& runner, std::vector<ModelRuns>& models);

}  // namespace evident
