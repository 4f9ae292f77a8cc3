#include "formula/special.hpp"

#include <cmath>
#include <numbers>

#include "dist/special.hpp"
#include "evident/base/log_math.hpp"

namespace evident::formula {

double log_gamma(double x) { return dist::log_gamma(x); }

double digamma(double x) {
  if (std::isnan(x) || x == -kInf) return kNaN;
  if (x == kInf) return x;
  double shift = 0;
  if (x <= 0) {
    if (x == std::floor(x)) return kNaN;
    const double within = x - std::floor(x);
    shift = -std::numbers::pi / std::tan(std::numbers::pi * within);
    x = 1 - x;
  }
  for (; x < 10; ++x) shift -= 1 / x;
  // The asymptotic series; at 10 its next term is below 1e-17.
  const double r = 1 / (x * x);
  const double series =
      r *
      (1.0 / 12 - r * (1.0 / 120 - r * (1.0 / 252 - r * (1.0 / 240 - r * (1.0 / 132 - r * (691.0 / 32760 - r / 12))))));
  return shift + std::log(x) - 0.5 / x - series;
}

double log_normal_cdf(double x) {
  if (x == -kInf) return x;
  if (x > -1) return std::log1p(-0.5 * std::erfc(x * std::numbers::sqrt2 / 2));
  // 1 - Phi(a) = phi(a) times the Mills ratio at a = -x.
  return dist::log_mills(-x) - 0.5 * x * x - 0.5 * kLog2Pi;
}

}  // namespace evident::formula
