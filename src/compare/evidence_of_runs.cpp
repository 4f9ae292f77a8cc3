#include "compare/evidence_of_runs.hpp"

#include <algorithm>
#include <cmath>

#include "base/statistics.hpp"
#include "evident/evidence/estimate.hpp"

namespace evident {
namespace {

std::vector<double> log_evidences(std::span<const Replicate> runs) {
  std::vector<double> out;
  for (const Replicate& r : runs) out.push_back(r.log_evidence.value);
  return out;
}

Estimate evidence_of(const std::vector<double>& values, double own_error) {
  const bool numbers = std::ranges::all_of(values, [](double v) { return v < kInf; });  // NaN is not
  const bool one = values.size() == 1;  // then its own error is all there is
  if (!numbers || (one && !std::isfinite(own_error))) return {.value = log_mean_exp(values)};
  return one ? island_evidence(values, std::vector{own_error * own_error}) : island_evidence(values);
}

}  // namespace

Estimate evidence_of_runs(std::span<const Replicate> runs) {
  return evidence_of(log_evidences(runs), runs.front().log_evidence.standard_error);
}

Estimate evidence_of_runs(std::span<const runs::Finished> runs) {
  std::vector<double> values;
  for (const runs::Finished& f : runs) values.push_back(f.replicate.log_evidence.value);
  return evidence_of(values, runs.front().replicate.log_evidence.standard_error);
}

void combine_evidences(ModelResult& result) {
  const std::vector<double> standard = log_evidences(result.replicates);
  std::vector<double> path;
  for (const Replicate& r : result.replicates) path.push_back(r.log_evidence_path);
  result.log_evidence = evidence_of_runs(result.replicates);
  result.log_evidence_path = log_mean_exp(path);
  result.spread.log_evidence_mean = mean(standard);
  result.spread.log_evidence_sd = standard_deviation(standard);
  result.spread.log_evidence_path_sd = standard_deviation(path);
}

std::vector<double> evidence_shares(std::span<const Replicate> runs) {
  const std::vector<double> values = log_evidences(runs);
  const double all = log_mean_exp(values);
  std::vector<double> shares(values.size(), 0.0);
  if (all == -kInf) return shares;
  for (std::size_t r = 0; r < values.size(); ++r)
    shares[r] = std::exp(values[r] - all) / static_cast<double>(values.size());
  return shares;
}

}  // namespace evident
