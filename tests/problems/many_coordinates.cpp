// A hundred latent coordinates and more.
#include <cmath>

#include "evident/base/log_math.hpp"
#include "problems/families.hpp"
#include "problems/groups.hpp"
#include "problems/written.hpp"

namespace evident::problems {
namespace {

/// x1 ~ N(0, 1), x_t ~ N(x_{t-1}, 0.3^2), y_t ~ N(x_t, 1), t = 1 .. 100.
Problem random_walk(std::uint64_t instance) {
  constexpr std::size_t kTimes = 100;
  constexpr double kStep = 0.3;
  const std::string name = "random walk d=100";
  Stream stream = numbers_of(name, instance);
  ParameterSpace space;
  std::vector<double> y;
  double state = stream.normal();
  for (std::size_t t = 1; t <= kTimes; ++t) {
    if (t > 1) state += kStep * stream.normal();
    y.push_back(state + stream.normal());
    const std::string own = "x" + std::to_string(t);
    if (t == 1)
      space.add(own, normal(0, 1));
    else
      space.add(own, normal("x" + std::to_string(t - 1), kStep));
  }
  auto model = by_block(
      space,
      [y](ConstBlock theta, std::span<double> out) {
        for (double& v : out) v = -0.5 * static_cast<double>(kTimes) * kLog2Pi;
        for (std::size_t t = 0; t < kTimes; ++t) {
          const double* at = theta.row_data(t);
          for (std::size_t i = 0; i < out.size(); ++i) out[i] -= 0.5 * (y[t] - at[i]) * (y[t] - at[i]);
        }
      },
      [y](ConstBlock theta, Block out) {
        for (std::size_t t = 0; t < kTimes; ++t)
          for (std::size_t i = 0; i < theta.size(); ++i) out(t, i) = y[t] - theta(t, i);
      });
  double exact = 0, mean = 0, variance = 1;  // of the state, given the data before
  for (const double v : y) {
    exact += log_normal_density(v, mean, std::sqrt(variance + 1));
    const double gain = variance / (variance + 1);
    mean += gain * (v - mean);
    variance = (1 - gain) * variance + kStep * kStep;
  }
  return {name, model, exact, 0, "closed form: Kalman's filter"};
}

}  // namespace

SuiteEntries many_coordinates() {
  const std::string family = "many coordinates";
  return {fixed_entry(family, "unit gaussian d=200", [] { return unit_gaussian(200); }),
          drawn_entry(family, "random walk d=100", random_walk), drawn_entry(family, "100 groups", hundred_groups)};
}

}  // namespace evident::problems
