// Densities over whole spans, vectorised: out[i] += term(x[i]), and -inf where x[i] is impossible or NaN.
//
// Each term is a handful of constants, worked out once a call. `at` is the plain scalar form of the same formula; the
// vectorised one differs from it by rounding alone, and gives a value the same bits wherever it sits in the span.
#pragma once

#include <cmath>
#include <limits>
#include <span>

#include "evident/base/log_math.hpp"
#include "evident/dist/distribution.hpp"

namespace evident::dist {

/// The range of an argument that must be positive.
inline constexpr double kSmallestArgument = std::numeric_limits<double>::min();
inline constexpr double kLargestArgument = 1e300;

/// A constant on [lower, upper]: uniform.
struct FlatTerm {
  double lower, upper, constant;
  double at(double x) const { return x >= lower && x <= upper ? constant : -kInf; }
};

/// constant - (x - origin)(x + origin - 2 mean) / (2 sd^2) on [lower, upper]: normal, half-normal, truncated normal.
/// With the origin on a bound far in the tail nothing cancels.
struct GaussianTerm {
  double lower, upper, constant;
  double mean, inverse_sd;
  double origin;
  double at(double x) const {
    if (!(x >= lower && x <= upper)) return -kInf;
    const double from_origin = (x - origin) * inverse_sd;
    const double from_mean = (x - mean) * inverse_sd;
    return constant - 0.5 * from_origin * (from_mean + (origin - mean) * inverse_sd);
  }
};

/// constant + log_factor log x + factor x + inverse_factor / x on [lower, upper], 0 <= lower: gamma, exponential,
/// inverse gamma, log-uniform. Zero and infinity are special: `at_zero` and -inf.
struct LogLinearTerm {
  double lower, upper, constant;
  double log_factor = 0, factor = 0, inverse_factor = 0;
  double at_zero = -kInf;
  double at(double x) const {
    if (!(x >= lower && x <= upper && x < kInf)) return -kInf;
    if (x == 0) return at_zero;
    const double logs = log_factor == 0 ? 0.0 : log_factor * std::log(x);
    return constant + logs + factor * x + (inverse_factor == 0 ? 0.0 : inverse_factor / x);
  }
};

/// constant - log x - ((log x - mean) / sd)^2 / 2 for x > 0: lognormal.
struct LogNormalTerm {
  double constant, mean, inverse_sd;
  double at(double x) const {
    if (!(x > 0 && x < kInf)) return -kInf;
    const double log_x = std::log(x), z = (log_x - mean) * inverse_sd;
    return constant - log_x - 0.5 * z * z;
  }
};

/// constant + log_factor log x + log1m_factor log(1 - x) on (0, 1): beta.
struct BetaTerm {
  double constant, log_factor, log1m_factor;
  double at_zero = -kInf, at_one = -kInf;
  double at(double x) const {
    if (!(x >= 0 && x <= 1)) return -kInf;
    if (x == 0) return at_zero;
    if (x == 1) return at_one;
    return constant + log_factor * std::log(x) + log1m_factor * std::log1p(-x);
  }
};

/// Arguments that differ from particle to particle, for the two families that are most often used so.
void add_uniform(std::span<const double> x, std::span<const ArgumentValues> bounds, std::span<double> out);
void add_normal(std::span<const double> x, std::span<const ArgumentValues> mean_sd, std::span<double> out);

void add(const FlatTerm& term, std::span<const double> x, std::span<double> out);
void add(const GaussianTerm& term, std::span<const double> x, std::span<double> out);
void add(const LogLinearTerm& term, std::span<const double> x, std::span<double> out);
void add(const LogNormalTerm& term, std::span<const double> x, std::span<double> out);
void add(const BetaTerm& term, std::span<const double> x, std::span<double> out);

}  // namespace evident::dist
