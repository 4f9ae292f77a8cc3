// Funnels: the width of all other coordinates is one of the coordinates.
#include <cmath>

#include "evident/base/log_math.hpp"
#include "problems/families.hpp"
#include "problems/quadrature.hpp"
#include "problems/written.hpp"

namespace evident::problems {
namespace {

/// t ~ N(0, 3^2); likelihood of z on U(-10, 10)^wide: a product of N(z_j; 0, e^t), e^t the variance.
Problem funnel_in_a_box(std::size_t wide) {
  ParameterSpace space;
  space.add("t", normal(0, 3));
  for (std::size_t j = 0; j < wide; ++j) space.add("z" + std::to_string(j + 1), uniform(-10, 10));
  auto model = by_point(
      space,
      [wide](std::span<const double> t) {
        double squares = 0;
        for (std::size_t j = 1; j <= wide; ++j) squares += t[j] * t[j];
        return -0.5 * (static_cast<double>(wide) * (kLog2Pi + t[0]) + squares * std::exp(-t[0]));
      },
      [wide](std::span<const double> t, std::span<double> out) {
        double squares = 0;
        for (std::size_t j = 1; j <= wide; ++j) {
          squares += t[j] * t[j];
          out[j] = -t[j] * std::exp(-t[0]);
        }
        out[0] = -0.5 * (static_cast<double>(wide) - squares * std::exp(-t[0]));
      });
  const double exact = log_integral(
      [wide](double t) {
        const double inside = std::log(std::erf(10 / std::sqrt(2 * std::exp(t)))) - std::log(20.0);
        return log_normal_density(t, 0, 3) + static_cast<double>(wide) * inside;
      },
      panels(-45, 45, 400));
  return {"funnel in a box d=" + std::to_string(wide + 1), model, exact, 1e-10,
          "error functions, and quadrature over the width"};
}

/// tau ~ lognormal(0, 1.5), x_j ~ N(0, tau^2), y_j ~ N(x_j, 1), with data that were made by tau = 0.5.
Problem funnel_with_data(std::size_t d, std::uint64_t instance) {
  const std::string name = "funnel with data d=" + std::to_string(d);
  Stream stream = numbers_of(name, instance);
  ParameterSpace space;
  space.add("tau", lognormal(0, 1.5));
  std::vector<double> y(d - 1);
  for (std::size_t j = 0; j < y.size(); ++j) {
    space.add("x" + std::to_string(j + 1), normal(0, "tau"));
    y[j] = std::hypot(1, 0.5) * stream.normal();
  }
  auto model = by_point(
      space,
      [y](std::span<const double> t) {
        double squares = 0;
        for (std::size_t j = 0; j < y.size(); ++j) squares += (y[j] - t[j + 1]) * (y[j] - t[j + 1]);
        return -0.5 * (static_cast<double>(y.size()) * kLog2Pi + squares);
      },
      [y](std::span<const double> t, std::span<double> out) {
        out[0] = 0;
        for (std::size_t j = 0; j < y.size(); ++j) out[j + 1] = y[j] - t[j + 1];
      });
  const double exact = log_integral(
      [&](double log_tau) {
        double sum = log_normal_density(log_tau, 0, 1.5);
        for (const double v : y) sum += log_normal_density(v, 0, std::hypot(1, std::exp(log_tau)));
        return sum;
      },
      panels(-15, 15, 200));
  return {name, model, exact, 1e-10, "given tau a normal density; quadrature over tau"};
}

SuiteEntry in_a_box(const std::string& family, std::size_t wide) {
  return fixed_entry(family, "funnel in a box d=" + std::to_string(wide + 1), [=] { return funnel_in_a_box(wide); });
}

SuiteEntry with_data(const std::string& family, std::size_t d) {
  return drawn_entry(family, "funnel with data d=" + std::to_string(d),
                     [d](std::uint64_t instance) { return funnel_with_data(d, instance); });
}

}  // namespace

SuiteEntries funnels() {
  const std::string family = "funnels";
  SuiteEntries out = {in_a_box(family, 10)};
  for (const std::size_t d : {5, 20}) out.push_back(with_data(family, d));
  return out;
}

SuiteEntries more_funnels(ParameterDraws& draws) {
  const std::size_t wide = draws.whole(3, 15, {10}), d = draws.whole(3, 30, {5, 20});
  return {in_a_box(draws.family(), wide), with_data(draws.family(), d)};
}

}  // namespace evident::problems
