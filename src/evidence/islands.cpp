#include "evident/evidence/islands.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <string>

#include "evident/base/block.hpp"
#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"

namespace evident {
namespace {

constexpr double kUpperTail = 0.975;

void check(std::span<const double> log_evidences, std::span<const double> variances) {
  if (log_evidences.empty()) throw InputError("the evidence of islands needs at least one island");
  if (!variances.empty() && variances.size() != log_evidences.size())
    throw InputError("there are " + std::to_string(log_evidences.size()) + " islands and " +
                     std::to_string(variances.size()) + " one-run variances; both must be as many");
  for (const double l : log_evidences)
    if (std::isnan(l) || l == kInf)
      throw InputError("the log evidence of an island must be a number below infinity, was " + std::to_string(l));
}

/// Variance of numbers; NaN for a single one.
double variance(std::span<const double> x) {
  const auto n = static_cast<double>(x.size());
  double mean = 0, squares = 0;
  for (const double v : x) mean += v / n;
  for (const double v : x) squares += (v - mean) * (v - mean);
  return x.size() > 1 ? squares / (n - 1) : kNaN;
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
  return std::sqrt(variance(evidences) / n) / mean;
}

}  // namespace

IslandEvidence island_evidence(std::span<const double> log_evidences, std::span<const double> one_run_variances) {
  check(log_evidences, one_run_variances);
  const std::size_t count = log_evidences.size();
  const auto n = static_cast<double>(count);
  const double inside = mean_of_finite(one_run_variances);
  IslandEvidence out{.log_evidence = log_mean_exp(log_evidences), .islands = count};
  double quantile = 0;
  if (count == 1) {
    out.degrees = kInf;
    out.island_sd = kNaN;
    out.standard_error = out.log_evidence > -kInf ? std::sqrt(inside) : kNaN;
    quantile = boost::math::quantile(boost::math::normal(), kUpperTail);
  } else {
    out.degrees = n - 1;
    const bool zeros = std::any_of(log_evidences.begin(), log_evidences.end(), [](double l) { return l == -kInf; });
    const double between = zeros ? kNaN : variance(log_evidences);
    out.island_sd = std::sqrt(between);
    const double s2 = std::isnan(inside) ? between : std::max(between, inside);
    out.standard_error = zeros ? relative_error(log_evidences) : std::sqrt(s2 / n + s2 * s2 / (2 * (n - 1)));
    quantile = boost::math::quantile(boost::math::students_t(out.degrees), kUpperTail);
  }
  out.lower = out.log_evidence - quantile * out.standard_error;
  out.upper = out.log_evidence + quantile * out.standard_error;
  return out;
}

}  // namespace evident
