// A hundred latent coordinates and more.
#include <cmath>

#include "evident/base/log_math.hpp"
#include "problems/families.hpp"
#include "problems/groups.hpp"
#include "problems/written.hpp"

namespace evident::problems {
namespace {

/// x1 ~ N(0, 1), x_t ~ N(x_{t-1}, step^2), y_t ~ N(x_t, 1), t = 1 .. times.
Problem random_walk(const std::string& name, std::size_t times, double step, std::uint64_t instance) {
  Stream stream = numbers_of(name, instance);
  ParameterSpace space;
  std::vector<double> y;
  double state = stream.normal();
  for (std::size_t t = 1; t <= times; ++t) {
    if (t > 1) state += step * stream.normal();
    y.push_back(state + stream.normal());
    const std::string own = "x" + std::to_string(t);
    if (t == 1)
      space.add(own, normal(0, 1));
    else
      space.add(own, normal("x" + std::to_string(t - 1), step));
  }
  auto model = by_block(
      space,
      [y, times](ConstBlock theta, std::span<double> out) {
        for (double& v : out) v = -0.5 * static_cast<double>(times) * kLog2Pi;
        for (std::size_t t = 0; t < times; ++t) {
          const double* at = theta.row_data(t);
          for (std::size_t i = 0; i < out.size(); ++i) out[i] -= 0.5 * (y[t] - at[i]) * (y[t] - at[i]);
        }
      },
      [y, times](ConstBlock theta, Block out) {
        for (std::size_t t = 0; t < times; ++t)
          for (std::size_t i = 0; i < theta.size(); ++i) out(t, i) = y[t] - theta(t, i);
      });
  double exact = 0, mean = 0, variance = 1;  // of the state, given the data before
  for (const double v : y) {
    exact += log_normal_density(v, mean, std::sqrt(variance + 1));
    const double gain = variance / (variance + 1);
    mean += gain * (v - mean);
    variance = (1 - gain) * variance + step * step;
  }
  return {name, model, exact, 0, "closed form: Kalman's filter"};
}

SuiteEntry walk(const std::string& family, const std::string& name, std::size_t times, double step) {
  return drawn_entry(family, name, [=](std::uint64_t instance) { return random_walk(name, times, step, instance); });
}

}  // namespace

SuiteEntries many_coordinates() {
  const std::string family = "many coordinates";
  return {fixed_entry(family, "unit gaussian d=200", [] { return unit_gaussian(200); }),
          walk(family, "random walk d=100", 100, 0.3), drawn_entry(family, "100 groups", hundred_groups)};
}

SuiteEntries more_many_coordinates(ParameterDraws& draws) {
  const std::size_t d = draws.whole(50, 150), times = draws.whole(50, 120);
  const double step = draws.between(0.1, 1);
  return {fixed_entry(draws.family(), "unit gaussian d=" + std::to_string(d), [d] { return unit_gaussian(d); }),
          walk(draws.family(), "random walk d=" + std::to_string(times) + " step=" + shown(step), times, step)};
}

}  // namespace evident::problems
