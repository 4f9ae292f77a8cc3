#include <algorithm>
#include <cmath>

#include "base/number_text.hpp"
#include "base/statistics.hpp"
#include "evident/base/log_math.hpp"
#include "judge/alarms.hpp"
#include "judge/thresholds.hpp"

namespace evident {
namespace {

// 1.4826 times the median distance: the standard deviation of normal numbers, whatever a few of them do.
double robust_sd(const std::vector<double>& x, double centre) {
  std::vector<double> off;
  for (const double v : x) off.push_back(std::abs(v - centre));
  return 1.4826 * median(std::move(off));
}

double median_of_known(std::span<const IslandNumbers> islands) {
  std::vector<double> known;
  for (const IslandNumbers& i : islands)
    if (std::isfinite(i.log_evidence.standard_error)) known.push_back(i.log_evidence.standard_error);
  return known.empty() ? kNaN : median(std::move(known));
}

/// One run with half of the sum: the standard deviation of the log evidences is about 1 or more.
void check_shares(const std::vector<double>& l, Reasons& out) {
  const auto n = static_cast<double>(l.size());
  const double most = std::exp(*std::ranges::max_element(l) - log_sum_exp(l));
  if (n < threshold("fewest-islands") || most <= std::max(threshold("carries"), threshold("carries-times") / n)) return;
  out.push_back({Alarm::one_island_carries, level(most > threshold("nearly-all")),
                 "one of " + std::to_string(l.size()) + " islands holds " + percent(most) +
                     " of the mean evidence: use more particles in each until they agree"});
}

/// An island far from the median has seen something else than the others; or all of them scatter.
void check_spread(const std::vector<double>& l, double own, Reasons& out) {
  const bool enough = static_cast<double>(l.size()) >= threshold("fewest-islands");
  const double centre = median(l), spread = robust_sd(l, centre);
  double far = 0;
  for (const double v : l) far = std::max(far, std::abs(v - centre));
  // The larger of the runs' own error and what the middle half of the islands shows; few cannot show that.
  const double scale = enough ? std::max(spread, std::isnan(own) ? 0 : own) : own;
  if (far > threshold("harmless-spread") && far > threshold("far-island") * scale) {
    out.push_back({Alarm::islands_disagree, level(far > threshold("grave")),
                   "an island differs by " + number(far) + " from the median of all, where " + number(scale) +
                       " is usual: it found or missed a mode, so use more particles and more islands"});
    return;
  }
  const double all = standard_deviation(l);
  if (enough && all > threshold("harmless-spread") && all > threshold("wide-islands") * own)
    out.push_back({Alarm::islands_disagree, level(all > threshold("grave")),
                   "the islands scatter by " + number(all) + " where their own errors say " + number(own) +
                       ": moves mix too slowly, so use more passes or more particles"});
}

}  // namespace

Reasons alarms_of_islands(std::span<const IslandNumbers> islands) {
  Reasons out;
  if (islands.size() < 2) return out;
  std::vector<double> log_evidences;
  for (const IslandNumbers& i : islands)  // those that met no possible draw have an alarm of their own
    if (i.log_evidence.value > -kInf) log_evidences.push_back(i.log_evidence.value);
  if (log_evidences.size() < 2) return out;
  check_shares(log_evidences, out);
  check_spread(log_evidences, median_of_known(islands), out);
  return out;
}

}  // namespace evident
