// What several runs of the same model tell together.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "compare/runs/run.hpp"
#include "evident/compare/compare.hpp"

namespace evident {

/// FNV-1a. A name is an identity: random numbers stay the same when other models come or go.
std::uint32_t identity(std::string_view name);

/// Standard deviation; NaN for fewer than two values.
double sd(std::span<const double> x);

/// Fills in what the replicates of `result` tell of the evidence.
void combine_evidences(ModelResult& result);
/// Shares of the replicates in the pooled posterior: proportional to their evidence.
std::vector<double> evidence_shares(const ModelResult& result);
/// Warnings of the runs, each once, and what their traces show.
void collect_warnings(ModelResult& result);

/// Draws and shares of all models, for the averages over models.
struct PooledDraws {
  std::vector<std::vector<Draws>> draws;    ///< [model][replicate]
  std::vector<std::vector<double>> shares;  ///< the same
  /// Takes the draws of the next model and fills in its parameters and draws.
  void add(ModelResult& result, std::vector<Draws> own, std::vector<double> own_shares);
  std::vector<ParameterSummary> average(const Comparison& comparison) const;
};

}  // namespace evident
