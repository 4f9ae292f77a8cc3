// What several runs of one model say together of its evidence.
#pragma once

#include <span>
#include <vector>

#include "compare/runs/run.hpp"
#include "evident/base/estimate.hpp"

namespace evident {

/// From the spread of the runs; of a single one by its own error. The error is NaN where neither can be had.
Estimate evidence_of_runs(std::span<const runs::Finished> runs);
Estimate evidence_of_runs(std::span<const Replicate> runs);

/// Fills in what the replicates of `result` say of the evidence.
void combine_evidences(ModelResult& result);
/// Shares of the replicates in the pooled posterior: proportional to their evidence.
std::vector<double> evidence_shares(std::span<const Replicate> runs);

}  // namespace evident
