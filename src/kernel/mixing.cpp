#include "kernel/mixing.hpp"

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

bool Mixing::reached(const Population& now) const {
  const auto weights = now.weights.values();
  if (correlation(weights, log_likelihood_, now.log_likelihood) > limits_.log_likelihood) return false;
  for (std::size_t j = 0; j < z_.rows(); ++j)
    if (correlation(weights, z_.row(j), now.z.row(j)) > limits_.coordinate) return false;
  return true;
}

}  // namespace evident
