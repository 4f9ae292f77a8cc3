// The result of a comparison, from the runs of its models.
#pragma once

#include <string>
#include <vector>

#include "compare/runner.hpp"
#include "compare/runs/run.hpp"

namespace evident {

/// Draws and shares of all models, for the averages over models.
struct PooledDraws {
  std::vector<std::vector<Draws>> draws;    ///< [model][replicate]
  std::vector<std::vector<double>> shares;  ///< the same
  /// Takes the draws of the next model and fills in its parameters and draws.
  void add(ModelResult& result, std::vector<Draws> own, std::vector<double> own_shares);
  std::vector<ParameterSummary> average(const Comparison& comparison) const;
};

/// Warnings of the runs, each once; and what their traces show, where no verdict says it.
void collect_warnings(ModelResult& result);

/// The answer, the verdict and its reasons.
void set_judgement(JudgedModel judged, bool with_islands, ModelResult& result);
/// That there is no verdict, and why.
void set_unjudged(Alarm code, std::string why, ModelResult& result);
FoundModes found_modes(const Scouted& modes);

Comparison result_of(const Runner& runner, std::vector<ModelRuns> models, std::size_t rounds);

}  // namespace evident
