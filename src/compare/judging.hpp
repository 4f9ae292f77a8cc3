// Observes each model after its runs and has it judged.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "compare/runner.hpp"
#include "judge/observations.hpp"

namespace evident {

/// What there is to judge of one model.
struct Evidenced {
  const Model& model;
  std::span<const runs::Finished> finished;
  std::vector<IslandNumbers> islands;
  std::vector<RunNumbers> runs;           ///< of the traces
  std::vector<const Trace*> traces = {};  ///< of this model alone, the pilot's first
  std::size_t particles = 0;              ///< of a run
  std::size_t max_prior_draws = SmcOptions{}.max_prior_draws;
  const Scouted* modes = nullptr;  ///< that were found before the runs
  bool begins_at_modes = false;    ///< the path, in place of the prior
  bool dropped = false;
};
Evidenced evidenced(const Model& model, const ModelRuns& runs);

/// What there is to see of a model before nested sampling is asked.
struct SeenModel {
  Observations seen = {};
  std::optional<Scouted> modes = {};  ///< those found before the runs, and what the runs have met
  std::optional<FoundNan> nan = {};
};
SeenModel observe_model(const Evidenced& found, const CompareOptions& options, const Context& context);

/// Of runs that are islands: nested sampling is asked, too.
JudgedModel judge_model(const Evidenced& found, const CompareOptions& options, const Context& context);

/// Judges the models of the direct method that were not judged since they changed. Several ranks look at a model each.
void judge_models(const Runner& runner, std::vector<ModelRuns>& models);

}  // namespace evident
