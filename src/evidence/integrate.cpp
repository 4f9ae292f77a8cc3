#include <Eigen/LU>
#include <algorithm>
#include <array>

#include "evident/evidence/estimate.hpp"

namespace evident {
namespace {

constexpr std::array<std::string_view, 4> kRuleNames = {"trapezoid", "simpson", "simpson38", "boole"};

// Integral over [x_0, x_k] of the polynomial of degree k through the k+1 points. The weights solve the moment equations
// on the interval scaled to [0, 1]; k is at most 4, so this is well conditioned unless two points nearly coincide.
double panel(std::span<const double> x, std::span<const double> y) {
  const std::size_t points = x.size();
  const double length = x.back() - x.front();
  if (points == 2) return 0.5 * length * (y[0] + y[1]);
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 5, 5>;
  using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 5, 1>;
  Matrix powers(points, points);
  Vector moments(points), values(points);
  for (std::size_t j = 0; j < points; ++j) {
    const double u = (x[j] - x.front()) / length;
    double power = 1;
    for (std::size_t p = 0; p < points; ++p, power *= u) powers(p, j) = power;
    moments[j] = 1.0 / static_cast<double>(j + 1);
    values[j] = y[j];
  }
  return length * powers.fullPivLu().solve(moments).dot(values);
}

}  // namespace

std::string_view name(Rule rule) { return kRuleNames[static_cast<std::size_t>(rule)]; }

double integrate(Rule rule, std::span<const double> x, std::span<const double> y) {
  const std::size_t degree = static_cast<std::size_t>(rule) + 1;
  double sum = 0;
  for (std::size_t at = 0; at + 1 < x.size();) {
    const std::size_t intervals = std::min(degree, x.size() - 1 - at);
    sum += panel(x.subspan(at, intervals + 1), y.subspan(at, intervals + 1));
    at += intervals;
  }
  return sum;
}

}  // namespace evident
