#include "particles/weights.hpp"

#include <algorithm>
#include <cmath>

#include "evident/base/log_math.hpp"
#include "particles/reweight.hpp"

namespace evident {

void Weights::reset(std::size_t n) {
  const auto share = 1.0 / static_cast<double>(n);
  log_.assign(n, std::log(share));
  values_.assign(n, share);
  ess_ = 1;
}

Absorbed Weights::absorb(std::span<const double> l, double delta) {
  const std::size_t n = size();
  const double top_l = reweighting::largest(l.data(), n);
  if (top_l == -kInf) return {-kInf, 0};
  // Shifted by the largest l, so that delta times a huge value is harmless.
  work_.resize(2 * padded(n));
  double* next = work_.data();
  double* e = work_.data() + padded(n);
  const double top = reweighting::shift(log_.data(), l.data(), top_l, delta, n, next);
  if (top == -kInf) return {-kInf, 0};
  const double sum = reweighting::exp_and_sum(next, top, n, e), log_sum = std::log(sum);
  const auto done = reweighting::finish(next, e, values_.data(), sum, log_sum, n);
  std::copy_n(next, n, log_.data());
  ess_ = 1.0 / (static_cast<double>(n) * done.squares);
  return {top + log_sum + delta * top_l, done.cess};
}

double cess(std::span<const double> weights, std::span<const double> l, double delta) {
  const std::size_t n = weights.size();
  const auto s = reweighting::exp_sums(weights.data(), l.data(), reweighting::largest(l.data(), n), delta, n);
  return s.s1 * s.s1 / s.s2;
}

double ess_after(std::span<const double> weights, std::span<const double> l, double delta) {
  const std::size_t n = weights.size();
  const auto s = reweighting::squared_exp_sums(weights.data(), l.data(), reweighting::largest(l.data(), n), delta, n);
  return s.s1 * s.s1 / (s.s2 * static_cast<double>(n));
}

Moments weighted_moments(std::span<const double> weights, std::span<const double> l) {
  const auto m = reweighting::moments(weights.data(), l.data(), weights.size());
  if (!std::isfinite(m.mean)) return {-kInf, kNaN};
  return {m.mean, m.variance};
}

}  // namespace evident
