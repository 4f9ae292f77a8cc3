#include "formula/incomplete.hpp"

#include <algorithm>
#include <boost/math/policies/policy.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

#include "dist/special.hpp"
#include "evident/base/log_math.hpp"

namespace evident::formula {
namespace {

namespace bp = boost::math::policies;
/// Gives NaN, infinity or 0 where it would throw.
using Quiet =
    bp::policy<bp::domain_error<bp::ignore_error>, bp::pole_error<bp::ignore_error>,
               bp::overflow_error<bp::ignore_error>, bp::underflow_error<bp::ignore_error>,
               bp::evaluation_error<bp::ignore_error>, bp::rounding_error<bp::ignore_error>, bp::promote_double<false>>;

constexpr double kTiny = 1e-290;
constexpr double kHuge = 1e9;  ///< a shape beyond it is refused: the sums would not end

/// Where Q has no digits left: its continued fraction, by Lentz's method.
double far_above(double a, double x) {
  double b = x + 1 - a, c = 1e300, d = 1 / b, h = d;
  for (int k = 1; k < 500; ++k) {
    const double an = -k * (k - a);
    b += 2;
    d = 1 / (an * d + b);
    c = b + an / c;
    h *= d * c;
    if (std::abs(d * c - 1) < 1e-15) break;
  }
  return a * std::log(x) - x - dist::log_gamma(a) + std::log(h);
}

/// Where P has none: the first terms of its series in x / a, which is small there.
double far_below(double a, double x) {
  double sum = 1, term = 1;
  for (int k = 1; k < 500 && term > 1e-17 * sum; ++k) sum += term *= x / (a + k);
  return a * std::log(x) - x - dist::log_gamma(a + 1) + std::log(sum);
}

/// Where I_x has none: x^a / (a B(a, b)) times the first terms of its series.
double far_beta(double a, double b, double x) {
  double sum = 1, term = 1;
  for (int k = 1; k < 500 && std::abs(term) > 1e-17 * sum; ++k) sum += term *= x * (a + b + k - 1) / (a + k);
  return a * std::log(x) + b * std::log1p(-x) - std::log(a) - dist::log_beta(a, b) + std::log(sum);
}

bool is_shape(double a) { return a > 0 && a < kHuge; }

template <class F>
double slope(double at, F f) {
  const double h = 1e-4 * at;  // f is smooth in log(a); errors are of the order of h^4
  const double near = (f(at + h) - f(at - h)) / (2 * h), far = (f(at + 2 * h) - f(at - 2 * h)) / (4 * h);
  return (4 * near - far) / 3;
}

}  // namespace

double log_gamma_below(double a, double x) {
  if (!is_shape(a) || !(x >= 0)) return kNaN;
  if (x == 0) return -kInf;
  if (std::isinf(x)) return 0;
  if (x > a) return std::log1p(-boost::math::gamma_q(a, x, Quiet()));
  const double p = boost::math::gamma_p(a, x, Quiet());
  return p > kTiny ? std::log(p) : far_below(a, x);
}

double log_gamma_above(double a, double x) {
  if (!is_shape(a) || !(x >= 0)) return kNaN;
  if (x == 0) return 0;
  if (std::isinf(x)) return -kInf;
  if (x < a) return std::log1p(-boost::math::gamma_p(a, x, Quiet()));
  const double q = boost::math::gamma_q(a, x, Quiet());
  return q > kTiny ? std::log(q) : far_above(a, x);
}

double log_beta_below(double a, double b, double x) {
  if (!is_shape(a) || !is_shape(b) || !(x >= 0 && x <= 1)) return kNaN;
  if (x == 0) return -kInf;
  if (x == 1) return 0;
  if (x > a / (a + b)) return std::log1p(-boost::math::ibetac(a, b, x, Quiet()));
  const double p = boost::math::ibeta(a, b, x, Quiet());
  return p > kTiny ? std::log(p) : far_beta(a, b, x);
}

double slope_gamma_below(double a, double x) {
  return slope(a, [x](double v) { return log_gamma_below(v, x); });
}

double slope_gamma_above(double a, double x) {
  return slope(a, [x](double v) { return log_gamma_above(v, x); });
}

double slope_beta_below_a(double a, double b, double x) {
  return slope(a, [b, x](double v) { return log_beta_below(v, b, x); });
}

double slope_beta_below_b(double a, double b, double x) {
  return slope(b, [a, x](double v) { return log_beta_below(a, v, x); });
}

}  // namespace evident::formula
