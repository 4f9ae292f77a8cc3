#include <algorithm>
#include <cmath>

#include "base/statistics.hpp"
#include "evident/evidence/estimate.hpp"
#include "judge/alarms.hpp"
#include "judge/observations.hpp"
#include "judge/thresholds.hpp"

namespace evident {
namespace {

Estimate standard_of(const std::vector<double>& values, const std::vector<IslandNumbers>& islands) {
  std::vector<double> variances;
  for (const IslandNumbers& i : islands)
    variances.push_back(i.log_evidence.standard_error * i.log_evidence.standard_error);
  return island_evidence(values, variances);
}

/// The bridges of the islands are independent. Where they agree by chance, what they say of themselves counts; that
/// mean rests on all their draws, so it is known far better than a spread of a few numbers. A fit that shares little
/// with the posterior is left out: all of them may then be off to the same side.
Estimate bridge_of(const std::vector<IslandNumbers>& islands) {
  constexpr double kDegreesOfOwnError = 30;  // for up to so many islands; it hardly matters beyond
  std::vector<double> values, errors;
  for (const IslandNumbers& i : islands) {
    if (!i.bridge || !i.bridge_usable || i.bridge_efficiency < threshold("poor-overlap")) continue;
    values.push_back(i.bridge->value);
    errors.push_back(i.bridge->standard_error);
  }
  const auto n = static_cast<double>(values.size());
  if (values.empty() || n < threshold("enough-bridges") * static_cast<double>(islands.size())) return {};
  const double expected = mean(errors) / std::sqrt(n);
  if (values.size() == 1) return {values.front(), expected, kInf};
  const double spread = error_of_mean(values);
  if (spread >= expected) return {mean(values), spread, n - 1};
  return {mean(values), expected, std::max(n - 1, kDegreesOfOwnError)};
}

}  // namespace

CombinedEvidence combine_islands(const std::vector<IslandNumbers>& islands) {
  std::vector<double> values;
  for (const IslandNumbers& i : islands) values.push_back(i.log_evidence.value);
  CombinedEvidence out{
      .standard = standard_of(values, islands), .bridge = bridge_of(islands), .island_sd = standard_deviation(values)};
  out.best = out.standard;
  if (!out.bridge.known()) return out;
  if (!out.standard.known())
    out.best = out.bridge;
  else if (agree(out.standard, out.bridge))
    out.best = combine(out.standard, out.bridge);
  return out;
}

}  // namespace evident
