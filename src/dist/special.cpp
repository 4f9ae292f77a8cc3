#include "dist/special.hpp"

#include <math.h>  // lgamma_r is POSIX, not standard C++

#include <algorithm>
#include <array>
#include <cmath>

#include "evident/base/log_math.hpp"

namespace evident::dist {
namespace {

constexpr double kSqrt2 = 1.4142135623730950488;

/// Phi(a + width) - Phi(a) over phi(a) for a >= 0 and an interval so short that exp(-a t - t^2/2) is smooth on it.
/// Gauss-Legendre with ten points is exact to rounding there, while a difference of tails would cancel.
double short_scaled_mass(double a, double width) {
  static constexpr std::array<double, 5> kNode = {0.14887433898163121088, 0.43339539412924719080,
                                                  0.67940956829902440623, 0.86506336668898451073,
                                                  0.97390652851717172008};
  static constexpr std::array<double, 5> kWeight = {0.29552422471475287017, 0.26926671930999635509,
                                                    0.21908636251598204400, 0.14945134915058059315,
                                                    0.06667134430868813759};
  const double half = 0.5 * width;
  double sum = 0;
  for (std::size_t k = 0; k < kNode.size(); ++k) {
    for (const double node : {-kNode[k], kNode[k]}) {
      const double t = half * (1 + node);
      sum += kWeight[k] * std::exp(-t * (a + 0.5 * t));
    }
  }
  return half * sum;
}

}  // namespace

double log_gamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

double stirling_error(double n) {
  if (n < 10) return log_gamma(n + 1) - (n + 0.5) * std::log(n) + n - 0.5 * kLog2Pi;
  static constexpr std::array<double, 7> kSeries = {1.0 / 12,   -1.0 / 360,        1.0 / 1260, -1.0 / 1680,
                                                    1.0 / 1188, -691.0 / 360360.0, 1.0 / 156};
  const double inverse_square = 1 / (n * n);
  double sum = 0;
  for (auto term = kSeries.rbegin(); term != kSeries.rend(); ++term) sum = sum * inverse_square + *term;
  return sum / n;
}

double deviance(double x, double m) {
  if (std::abs(x - m) >= 0.1 * (x + m)) return x * (std::log(x) - std::log(m)) + m - x;
  const double v = (x - m) / (x + m);
  double sum = (x - m) * v;
  double power = 2 * x * v;
  for (int j = 1; j < 1000; ++j) {
    power *= v * v;
    const double next = sum + power / (2 * j + 1);
    if (next == sum) break;
    sum = next;
  }
  return sum;
}

double log_beta(double a, double b) {
  const double small = std::min(a, b), large = std::max(a, b);
  if (large < 10) return log_gamma(small) + log_gamma(large) - log_gamma(small + large);
  const double fraction = small / (small + large);
  const double correction = stirling_error(large) - stirling_error(small + large);
  if (small < 10) {
    return log_gamma(small) + correction + small - small * std::log(small + large) +
           (large - 0.5) * std::log1p(-fraction);
  }
  return 0.5 * kLog2Pi - 0.5 * std::log(large) + stirling_error(small) + correction +
         (small - 0.5) * std::log(fraction) + large * std::log1p(-fraction);
}

double log_mills(double a) {
  if (a < 10) return std::log(0.5 * std::erfc(a / kSqrt2)) + 0.5 * a * a + 0.5 * kLog2Pi;
  // Laplace's continued fraction 1/(a + 1/(a + 2/(a + 3/(a + ...)))), to rounding for a >= 10.
  double tail = a;
  for (int k = 40; k >= 1; --k) tail = a + k / tail;
  return -std::log(tail);
}

double log_scaled_normal_mass(double a, double b, double width) {
  if (b <= 0) return log_scaled_normal_mass(-b, -a, width);
  if (a <= 0) return std::log(0.5 * (std::erf(b / kSqrt2) - std::erf(a / kSqrt2))) + 0.5 * kLog2Pi;
  // From here on 0 < a <= b. `drop` is log phi(a) - log phi(b).
  const double drop = 0.5 * width * (b + a);
  if (drop < 1) return std::log(short_scaled_mass(a, width));
  const double near = log_mills(a);
  return std::isinf(drop) ? near : near + std::log1p(-std::exp(log_mills(b) - drop - near));
}

double log1p_square(double t) {
  const double size = std::abs(t);
  return size > 1e8 ? 2 * std::log(size) : std::log1p(size * size);
}

}  // namespace evident::dist
