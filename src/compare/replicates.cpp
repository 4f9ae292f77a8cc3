#include "compare/replicates.hpp"

#include <algorithm>
#include <cmath>

#include "compare/summary.hpp"
#include "evident/evidence/islands.hpp"

namespace evident {
namespace {

// What every method calls a warning is told once, whatever the number of replicates.
void add_once(std::vector<std::string>& to, const std::string& warning) {
  if (std::ranges::find(to, warning) == to.end()) to.push_back(warning);
}

}  // namespace

std::uint32_t identity(std::string_view name) {
  std::uint32_t hash = 2166136261U;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return hash;
}

double sd(std::span<const double> x) {
  if (x.size() < 2) return kNaN;
  double mean = 0, squares = 0;
  for (const double v : x) mean += v / static_cast<double>(x.size());
  for (const double v : x) squares += (v - mean) * (v - mean);
  return std::sqrt(squares / static_cast<double>(x.size() - 1));
}

void combine_evidences(ModelResult& result) {
  std::vector<double> standard, path, own;
  for (const Replicate& r : result.replicates) {
    standard.push_back(r.log_evidence);
    path.push_back(r.log_evidence_path);
    own.push_back(r.log_evidence_se * r.log_evidence_se);
  }
  result.log_evidence = log_mean_exp(standard);
  result.log_evidence_path = log_mean_exp(path);
  for (const double v : standard) result.log_evidence_mean += v / static_cast<double>(standard.size());
  result.log_evidence_sd = sd(standard);
  result.log_evidence_path_sd = sd(path);
  const bool told = std::ranges::all_of(standard, [](double v) { return v < kInf; });  // NaN is not
  const bool one = standard.size() == 1;  // then its own error is all there is
  if (!told || (one && !std::isfinite(own.front()))) return;
  const IslandEvidence e = one ? island_evidence(standard, own) : island_evidence(standard);
  result.log_evidence_se = e.standard_error;
  result.log_evidence_interval = {e.lower, e.upper};
  result.log_evidence_degrees = e.degrees;
}

std::vector<double> evidence_shares(const ModelResult& result) {
  if (result.log_evidence == -kInf) return std::vector<double>(result.replicates.size(), 0.0);
  std::vector<double> shares;
  for (const Replicate& r : result.replicates)
    shares.push_back(std::exp(r.log_evidence - result.log_evidence) / static_cast<double>(result.replicates.size()));
  return shares;
}

void collect_warnings(ModelResult& result) {
  const Replicate& first = result.replicates.front();
  const double gap = std::abs(first.log_evidence - first.log_evidence_path);
  if (gap > 0.5)
    result.warnings.push_back("the standard and the path-sampling estimate differ by " + std::to_string(gap) +
                              "; use more particles or a cess nearer to 1");
  if (first.trace.nan_evaluations > 0)
    result.warnings.push_back("the log likelihood was NaN in " + std::to_string(first.trace.nan_evaluations) + " of " +
                              std::to_string(first.trace.evaluations) + " evaluations; NaN counts as -inf");
  const bool moved = !first.trace.steps.empty() && first.trace.steps.back().evaluations > 0;
  if (moved && first.trace.steps.back().acceptance < 0.01)
    result.warnings.push_back("fewer than 1 % of the last step's proposals were accepted");
  for (const Replicate& r : result.replicates)
    for (const std::string& warning : r.warnings) add_once(result.warnings, warning);
}

void PooledDraws::add(ModelResult& result, std::vector<Draws> own, std::vector<double> own_shares) {
  result.parameters = summarise(own, own_shares);
  const auto filled = std::ranges::find_if(own, [](const Draws& d) { return !d.weights.empty(); });
  result.draws = filled == own.end() ? own.front() : *filled;
  draws.push_back(std::move(own));
  shares.push_back(std::move(own_shares));
}

std::vector<ParameterSummary> PooledDraws::average(const Comparison& comparison) const {
  std::vector<double> probabilities;
  for (const ModelResult& m : comparison.models) probabilities.push_back(m.probability);
  return evident::average(draws, shares, probabilities);
}

}  // namespace evident
