// Observes each model after its runs and has it judged.
#pragma once

#include "compare/runner.hpp"

namespace evident {

/// Judges the models of the direct method that were not judged since they changed. Several ranks look at a model each.
void judge_models(const Runner& runner, std::vector<ModelRuns>& models);

}  // namespace evident
