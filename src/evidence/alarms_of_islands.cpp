#include <algorithm>
#include <cmath>

#include "evidence/level.hpp"
#include "evidence/numbers.hpp"
#include "evident/evidence/verdict.hpp"

namespace evident {
namespace {

// One run with half of the sum (of four to six runs, three times its due share): the standard deviation of the log
// evidences is about 1 or more, and their mean is that of the luckiest run.
constexpr std::size_t kFewest = 4;
constexpr double kMost = 0.5, kNearlyAll = 0.9;
// An island this many robust deviations from the median (false alarms 1e-6 for each normal one), and by more than
// harmless 0.2, has seen something else than the others. The deviation is the larger of the runs' own error and
// what the middle half of the islands shows.
constexpr double kFar = 5, kHarmlessSpread = 0.2, kGraveSpread = 1;
// The islands' standard deviation against their own errors: with four islands chance makes a factor of 2.5 in 0.03 % of
// cases, and in about 0.1 % when the errors are known to 20 %.
constexpr double kTooWide = 2.5;

double median(std::vector<double> x) {
  std::ranges::sort(x);
  const std::size_t n = x.size();
  return n % 2 == 1 ? x[n / 2] : 0.5 * (x[n / 2 - 1] + x[n / 2]);
}

// 1.4826 times the median distance: the standard deviation of normal numbers, whatever a few of them do.
double robust_sd(const std::vector<double>& x, double centre) {
  std::vector<double> off;
  for (const double v : x) off.push_back(std::abs(v - centre));
  return 1.4826 * median(std::move(off));
}

double sd(const std::vector<double>& x) {
  double mean = 0, squares = 0;
  const auto n = static_cast<double>(x.size());
  for (const double v : x) mean += v / n;
  for (const double v : x) squares += (v - mean) * (v - mean);
  return std::sqrt(squares / (n - 1));
}

double median_of_known(std::span<const double> x) {
  std::vector<double> known;
  for (const double v : x)
    if (std::isfinite(v)) known.push_back(v);
  return known.empty() ? kNaN : median(std::move(known));
}

}  // namespace

std::vector<Reason> alarms_of_islands(std::span<const double> log_evidences, std::span<const double> standard_errors) {
  std::vector<Reason> out;
  const std::vector<double> l(log_evidences.begin(), log_evidences.end());
  if (l.size() < 2) return out;
  const double total = log_sum_exp(l), most = std::exp(*std::ranges::max_element(l) - total);
  if (l.size() >= kFewest && most > std::max(kMost, 3 / static_cast<double>(l.size())))
    out.push_back({Alarm::one_island_carries, level(most > kNearlyAll),
                   "one of " + std::to_string(l.size()) + " islands holds " + percent(most) +
                       " of the mean evidence: use more particles in each until they agree"});

  const double centre = median(l), spread = robust_sd(l, centre), own = median_of_known(standard_errors);
  double far = 0;
  for (const double v : l) far = std::max(far, std::abs(v - centre));
  // With three or fewer islands their own spread cannot tell an outlier.
  const double scale = l.size() >= kFewest ? std::max(spread, std::isnan(own) ? 0 : own) : own;
  if (far > kHarmlessSpread && far > kFar * scale) {
    out.push_back({Alarm::islands_disagree, level(far > kGraveSpread),
                   "an island differs by " + number(far) + " from the median of all, where " + number(scale) +
                       " is usual: it found or missed a mode, so use more particles and more islands"});
  } else if (const double all = sd(l); all > kHarmlessSpread && all > kTooWide * own && l.size() >= kFewest) {
    out.push_back({Alarm::islands_disagree, level(all > kGraveSpread),
                   "the islands scatter by " + number(all) + " where their own errors say " + number(own) +
                       ": moves mix too slowly, so use more passes or more particles"});
  }
  return out;
}

}  // namespace evident
