#include "problems/published.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include "evident/base/log_math.hpp"
#include "evident/model/model.hpp"

namespace evident::problems {
namespace {

std::string numbered(const char* name, std::size_t j) { return std::string(name).append(std::to_string(j + 1)); }

double log_gamma_density(double x, double place) { return x - place - std::exp(x - place); }
double log_normal_density(double x, double place) { return -0.5 * (kLog2Pi + (x - place) * (x - place)); }

}  // namespace

Problem log_gamma_modes(std::size_t d) {
  ParameterSpace space;
  for (std::size_t j = 0; j < d; ++j) space.add(numbered("x", j), uniform(-30, 30));
  auto model = lift(space, [](std::span<const double> t) {
    const double half = std::log(0.5);
    double sum = half + log_add_exp(log_gamma_density(t[0], 10), log_gamma_density(t[0], -10));
    sum += half + log_add_exp(log_normal_density(t[1], 10), log_normal_density(t[1], -10));
    for (std::size_t j = 2; j < t.size(); ++j)
      sum += 2 * (j + 1) <= t.size() + 2 ? log_gamma_density(t[j], 10) : log_normal_density(t[j], 10);
    return sum;
  });
  return {"log-gamma modes d=" + std::to_string(d), model, -static_cast<double>(d) * std::log(60.0),
          2e-9 * static_cast<double>(d),
          "closed form: densities within a box; exp(-20) lies outside (Beaujean and Caldwell 2013)"};
}

Problem eight_schools() {
  static constexpr std::array<double, 8> y = {28, 8, -3, 7, -1, 1, 18, 12}, sigma = {15, 10, 16, 11, 9, 11, 10, 18};
  ParameterSpace space;
  space.add("mu", normal(0, 5));
  space.add("tau", half_cauchy(5));
  for (std::size_t j = 0; j < y.size(); ++j) space.add(numbered("score", j), normal(0, 1));
  auto model = lift(space, [](std::span<const double> t) {
    double sum = 0;
    for (std::size_t j = 0; j < y.size(); ++j) {
      const double off = (y[j] - t[0] - t[1] * t[j + 2]) / sigma[j];
      sum -= 0.5 * (kLog2Pi + off * off) + std::log(sigma[j]);
    }
    return sum;
  });
  // Given tau the effects are normal and mu is: y is normal with covariance D + 25, D diagonal. The integral over tau
  // by the trapezoid in log tau.
  constexpr int kPoints = 20000;
  constexpr double kLow = -25, kHigh = 25, kStep = (kHigh - kLow) / kPoints;
  double integral = 0;
  for (int i = 0; i <= kPoints; ++i) {
    const double tau = std::exp(kLow + kStep * i);
    double log_det = 0, precision = 0, first = 0, second = 0;
    for (std::size_t j = 0; j < y.size(); ++j) {
      const double v = sigma[j] * sigma[j] + tau * tau;
      log_det += std::log(v);
      precision += 1 / v;
      first += y[j] / v;
      second += y[j] * y[j] / v;
    }
    const double prior = 1 / 25.0;
    const double log_density =
        -0.5 * (8 * kLog2Pi + log_det + std::log1p(25 * precision) + second - first * first / (precision + prior));
    const double log_half_cauchy = std::log(2 / (std::numbers::pi * 5)) - std::log1p(tau * tau / 25);
    integral += std::exp(log_density + log_half_cauchy) * tau * kStep;
  }
  return {"eight schools", model, std::log(integral), 1e-8,
          "given tau a normal density; the trapezoid in log tau (Rubin 1981)"};
}

Problem pooled_schools() {
  static constexpr std::array<double, 8> y = {28, 8, -3, 7, -1, 1, 18, 12}, sigma = {15, 10, 16, 11, 9, 11, 10, 18};
  ParameterSpace space;
  space.add("mu", normal(0, 5));
  auto model = lift(space, [](std::span<const double> t) {
    double sum = 0;
    for (std::size_t j = 0; j < y.size(); ++j) {
      const double off = (y[j] - t[0]) / sigma[j];
      sum -= 0.5 * (kLog2Pi + off * off) + std::log(sigma[j]);
    }
    return sum;
  });
  double precision = 1 / 25.0, first = 0, exact = -std::log(5.0);
  for (std::size_t j = 0; j < y.size(); ++j) {
    const double v = sigma[j] * sigma[j];
    precision += 1 / v;
    first += y[j] / v;
    exact -= 0.5 * (kLog2Pi + std::log(v) + y[j] * y[j] / v);
  }
  exact += 0.5 * (first * first / precision - std::log(precision));
  return {"eight schools, pooled", model, exact, 0, "closed form: one normal mean with known variances"};
}

}  // namespace evident::problems
