#include "evident/evidence/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/statistics.hpp"
#include "evident/base/block.hpp"
#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"

namespace evident {
namespace {

// Standard error. The logarithm of an unbiased estimate is close to normal, so the evidences are close to log-normal,
// and with a spread of one or more their own standard deviation is useless: it rests on the few largest, and for log
// evidences with a standard deviation of 1.5 the interval made from it covers 79 % (R = 8). With s^2 the variance
// of the log evidences, the log of the mean of a log-normal distribution is mean + s^2/2, whose variance is
//   s^2 / R + s^4 / (2 (R - 1))     (Cox; with a t quantile in place of a normal one: Olsson 2005).
// The interval is log Z -+ t(R - 1) x its root. By simulation it covers 91 to 95 % for standard deviations of
// the log evidence from 0.05 to 1.5 and R from 2 to 64; tests/evidence/islands_test.cpp repeats that.
//
// One-run variances. A variance of log Z estimated inside each run may be given too. It sees the noise of the weights
// but not slow mixing, so it is often too small and never replaces the spread of the islands: s^2 is the larger of
// their variance and the mean of the one-run variances. That helps when few islands agree by chance. A single island
// has nothing else: then s^2 is its one-run variance with a normal quantile, and without one the error is NaN.
//
// An island with evidence 0 (log -inf) counts as such; the standard error is then that of the evidences themselves.

void check(std::span<const double> log_evidences, std::span<const double> variances) {
  if (log_evidences.empty()) throw InputError("the evidence of islands needs at least one island");
  if (!variances.empty() && variances.size() != log_evidences.size())
    throw InputError("there are " + std::to_string(log_evidences.size()) + " islands and " +
                     std::to_string(variances.size()) + " one-run variances; both must be as many");
  for (const double l : log_evidences)
    if (std::isnan(l) || l == kInf)
      throw InputError("the log evidence of an island must be a number below infinity, was " + std::to_string(l));
}

double mean_of_finite(std::span<const double> x) {
  double sum = 0, count = 0;
  for (const double v : x)
    if (std::isfinite(v) && v >= 0) sum += v, ++count;
  return count > 0 ? sum / count : kNaN;
}

/// Relative error of the mean evidence, for when an evidence is zero and logarithms will not do.
double relative_error(std::span<const double> log_evidences) {
  const double top = *std::max_element(log_evidences.begin(), log_evidences.end());
  if (top == -kInf) return kNaN;
  AlignedVector<double> evidences;
  double mean = 0;
  const auto n = static_cast<double>(log_evidences.size());
  for (const double l : log_evidences) {
    evidences.push_back(std::exp(l - top));
    mean += evidences.back() / n;
  }
  return error_of_mean(evidences) / mean;
}

}  // namespace

Estimate island_evidence(std::span<const double> log_evidences, std::span<const double> one_run_variances) {
  check(log_evidences, one_run_variances);
  const double inside = mean_of_finite(one_run_variances);
  const double value = log_mean_exp(log_evidences);
  if (log_evidences.size() == 1) return {value, value > -kInf ? std::sqrt(inside) : kNaN, kInf};
  const double others = static_cast<double>(log_evidences.size()) - 1;
  if (std::ranges::find(log_evidences, -kInf) != log_evidences.end())
    return {value, relative_error(log_evidences), others};
  const double between = variance(log_evidences);
  const double s2 = std::isnan(inside) ? between : std::max(between, inside);
  return {value, std::sqrt(s2 / (others + 1) + s2 * s2 / (2 * others)), others};
}

}  // namespace evident
