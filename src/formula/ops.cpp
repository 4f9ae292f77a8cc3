// The value of each operation on plain numbers.
#include <algorithm>
#include <cmath>

#include "evident/base/log_math.hpp"
#include "formula/graph.hpp"
#include "formula/incomplete.hpp"
#include "formula/special.hpp"

namespace evident::formula {

namespace {

double log_sum_exp_of(std::span<const double> x) {
  double top = -kInf, sum = 0;
  for (const double v : x) {
    if (std::isnan(v)) return v;
    top = std::max(top, v);
  }
  if (!std::isfinite(top)) return top;
  for (const double v : x) sum += std::exp(v - top);
  return top + std::log(sum);
}

double apply_one(Op op, double a) {
  switch (op) {
    case Op::neg:
      return -a;
    case Op::exp:
      return std::exp(a);
    case Op::log:
      return std::log(a);
    case Op::log1p:
      return std::log1p(a);
    case Op::expm1:
      return std::expm1(a);
    case Op::sqrt:
      return std::sqrt(a);
    case Op::abs:
      return std::abs(a);
    case Op::sign:
      return a > 0 ? 1.0 : a < 0 ? -1.0 : a;
    case Op::square:
      return a * a;
    case Op::reciprocal:
      return 1 / a;
    case Op::sin:
      return std::sin(a);
    case Op::cos:
      return std::cos(a);
    case Op::tan:
      return std::tan(a);
    case Op::tanh:
      return std::tanh(a);
    case Op::atan:
      return std::atan(a);
    case Op::erf:
      return std::erf(a);
    case Op::erfc:
      return std::erfc(a);
    case Op::log_gamma:
      return log_gamma(a);
    case Op::digamma:
      return digamma(a);
    case Op::inv_logit:
      return a >= 0 ? 1 / (1 + std::exp(-a)) : std::exp(a) / (1 + std::exp(a));
    case Op::log1p_exp:
      return std::max(a, 0.0) + std::log1p(std::exp(-std::abs(a)));
    case Op::log_normal_cdf:
      return log_normal_cdf(a);
    case Op::logical_not:
      return a == 0 ? 1.0 : 0.0;
    case Op::floor:
      return std::floor(a);
    default:
      return kNaN;
  }
}

double apply_two(Op op, double a, double b) {
  switch (op) {
    case Op::add:
      return a + b;
    case Op::sub:
      return a - b;
    case Op::mul:
      return a * b;
    case Op::div:
      return a / b;
    case Op::pow:
      return std::pow(a, b);
    case Op::min:
      return std::isnan(a) || a < b ? a : b;
    case Op::max:
      return std::isnan(a) || a > b ? a : b;
    case Op::lt:
      return a < b ? 1.0 : 0.0;
    case Op::le:
      return a <= b ? 1.0 : 0.0;
    case Op::eq:
      return a == b ? 1.0 : 0.0;
    case Op::ne:
      return a != b ? 1.0 : 0.0;
    case Op::logical_and:
      return a != 0 && b != 0 ? 1.0 : 0.0;
    case Op::logical_or:
      return a != 0 || b != 0 ? 1.0 : 0.0;
    case Op::log_gamma_below:
      return log_gamma_below(a, b);
    case Op::log_gamma_above:
      return log_gamma_above(a, b);
    case Op::slope_gamma_below:
      return slope_gamma_below(a, b);
    case Op::slope_gamma_above:
      return slope_gamma_above(a, b);
    default:
      return kNaN;
  }
}

}  // namespace

double value_of(Op op, std::span<const double> x) {
  if (op == Op::log_sum_exp) return log_sum_exp_of(x);
  if (op == Op::where) return x[0] != 0 ? x[1] : x[2];
  if (op == Op::log_beta_below) return log_beta_below(x[0], x[1], x[2]);
  if (op == Op::slope_beta_below_a) return slope_beta_below_a(x[0], x[1], x[2]);
  if (op == Op::slope_beta_below_b) return slope_beta_below_b(x[0], x[1], x[2]);
  return x.size() == 1 ? apply_one(op, x[0]) : apply_two(op, x[0], x[1]);
}

}  // namespace evident::formula
