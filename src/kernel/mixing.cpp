#include "kernel/mixing.hpp"

#include <algorithm>
#include <cmath>

namespace evident {

double correlation(std::span<const double> weights, std::span<const double> a, std::span<const double> b) {
  const auto counts = [&](std::size_t i) { return weights[i] > 0 && std::isfinite(a[i]) && std::isfinite(b[i]); };
  double total = 0, mean_a = 0, mean_b = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!counts(i)) continue;
    total += weights[i];
    mean_a += weights[i] * a[i];
    mean_b += weights[i] * b[i];
  }
  if (!(total > 0)) return 0;
  mean_a /= total;
  mean_b /= total;
  double aa = 0, bb = 0, ab = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!counts(i)) continue;
    const double u = a[i] - mean_a, v = b[i] - mean_b;
    aa += weights[i] * u * u;
    bb += weights[i] * v * v;
    ab += weights[i] * u * v;
  }
  const double r = ab / std::sqrt(aa * bb);
  return std::isfinite(r) ? r : 0;
}

Mixing::Mixing(const UntilMixed& limits, const Population& x)
    : limits_(limits), log_likelihood_(x.log_likelihood), z_(limits.coordinate < 1 ? x.z : BlockStorage()) {}

// A correlation falls by about the same factor in each pass. One that cannot get below its limit within the passes that
// are allowed is not waited for: particles that stay in their modes would only use up the passes.
bool Mixing::worth_waiting(double r, double limit, std::size_t passes) const {
  constexpr std::size_t kEnoughToTell = 10;
  if (r <= limit) return false;
  const double needed = static_cast<double>(passes) * std::log(limit) / std::log(std::min(r, 1.0));
  return passes < kEnoughToTell || needed <= static_cast<double>(limits_.most);
}

bool Mixing::enough(const Population& now, std::size_t passes) const {
  const auto weights = now.weights.values();
  const double l = correlation(weights, log_likelihood_, now.log_likelihood);
  if (worth_waiting(l, limits_.log_likelihood, passes)) return false;
  for (std::size_t j = 0; j < z_.rows(); ++j)
    if (worth_waiting(correlation(weights, z_.row(j), now.z.row(j)), limits_.coordinate, passes)) return false;
  return true;
}

}  // namespace evident
