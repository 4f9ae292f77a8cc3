#include "evident/particles/weights.hpp"

#include <algorithm>
#include <cmath>

#include "base/vector_math.hpp"
#include "evident/base/log_math.hpp"

namespace evident {
namespace {

// NaN compares false, so it is never the largest.
double largest(std::span<const double> x) {
  double top = -kInf;
  for (const double v : x) top = v > top ? v : top;
  return top;
}

}  // namespace

void Weights::reset(std::size_t n) {
  const auto share = 1.0 / static_cast<double>(n);
  log_.assign(n, std::log(share));
  values_.assign(n, share);
}

double Weights::absorb(std::span<const double> l, double delta) {
  const std::size_t n = size();
  const double top_l = largest(l);
  if (top_l == -kInf) return -kInf;
  AlignedVector<double> next(n);
  double top = -kInf;
  for (std::size_t i = 0; i < n; ++i) {
    // Shifted by the largest l, so that delta times a huge value is harmless; NaN becomes -inf.
    const double shifted = l[i] > -kInf ? log_[i] + delta * (l[i] - top_l) : -kInf;
    next[i] = shifted;
    top = shifted > top ? shifted : top;
  }
  if (top == -kInf) return -kInf;
  for (double& v : next) v -= top;
  vector_math::exp(next.data(), values_.data(), n);
  double sum = 0;
  for (const double v : values_) sum += v;
  const double log_sum = std::log(sum), inverse = 1.0 / sum;
  for (std::size_t i = 0; i < n; ++i) {
    log_[i] = next[i] - log_sum;
    values_[i] *= inverse;
  }
  return top + log_sum + delta * top_l;
}

double Weights::ess() const {
  double squares = 0;
  for (const double v : values_) squares += v * v;
  return 1.0 / (static_cast<double>(size()) * squares);
}

double cess(std::span<const double> weights, std::span<const double> l, double delta) {
  const auto sums = vector_math::exp_sums(weights.data(), l.data(), largest(l), delta, weights.size());
  return sums.s1 * sums.s1 / sums.s2;
}

double ess_after(std::span<const double> weights, std::span<const double> l, double delta) {
  const auto sums = vector_math::exp_sums(weights.data(), l.data(), largest(l), delta, weights.size());
  return sums.s1 * sums.s1 / (sums.q * static_cast<double>(weights.size()));
}

Moments weighted_moments(std::span<const double> weights, std::span<const double> l) {
  double mean = 0, second = 0;
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (weights[i] > 0) mean += weights[i] * l[i];
  if (!std::isfinite(mean)) return {-kInf, kNaN};
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (weights[i] > 0) second += weights[i] * (l[i] - mean) * (l[i] - mean);
  return {mean, second};
}

}  // namespace evident
