#include "evident/evidence/islands.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/statistics.hpp"
#include "evident/base/block.hpp"
#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"

namespace evident {
namespace {

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
