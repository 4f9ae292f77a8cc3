// The problem of all four programs: is y = a + b t + noise a line, or is it level? The noise has sd 1, and a and b have
// the prior normal(0, 2), so that the evidences are known and every answer can be held against them.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>

namespace line {

inline constexpr double kT[] = {-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0};
inline constexpr double kY[] = {-0.9, 0.6, -0.3, 1.1, 0.4, 2.2, 1.3, 2.6};
inline constexpr std::size_t kSize = 8;
inline constexpr double kLog2Pi = 1.8378770664093453, kPriorSd = 2;

/// log p(y | a, b), with all its constants: the evidence needs them.
inline double log_likelihood(double a, double b) {
  double sum = 0;
  for (std::size_t k = 0; k < kSize; ++k) {
    const double r = kY[k] - a - b * kT[k];
    sum -= 0.5 * (kLog2Pi + r * r);
  }
  return sum;
}

/// log of the integral of prior times likelihood: with v the prior's variance and X the columns of the model,
/// -1/2 (n log 2 pi + log det(I + v X'X) + y'y - v y'X (I + v X'X)^-1 X'y).
inline double exact_log_evidence(bool with_slope) {
  const double v = kPriorSd * kPriorSd;
  double a = 1, b = 0, d = 1, p = 0, q = 0, yy = 0;  // I + v X'X = [a b; b d], X'y = [p q]
  for (std::size_t k = 0; k < kSize; ++k) {
    const double t = with_slope ? kT[k] : 0;
    a += v, b += v * t, d += v * t * t;
    p += kY[k], q += t * kY[k], yy += kY[k] * kY[k];
  }
  const double det = a * d - b * b;
  const double quadratic = v * (d * p * p - 2 * b * p * q + a * q * q) / det;
  return -0.5 * (static_cast<double>(kSize) * kLog2Pi + std::log(det) + yy - quadratic);
}

/// Prints a line; true when the number is within five standard errors of the exact one.
inline bool report(const std::string& name, double log_evidence, double standard_error, bool with_slope) {
  const double exact = exact_log_evidence(with_slope);
  std::printf("%s: log evidence %.4f +- %.4f, exact %.4f\n", name.c_str(), log_evidence, standard_error, exact);
  return std::abs(log_evidence - exact) < 5 * standard_error;
}

}  // namespace line
