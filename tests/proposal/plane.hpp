// Two modes in the plane, and particles in both of them or in one only.
#pragma once

#include <cmath>

#include "evident/base/log_math.hpp"
#include "evident/model/model.hpp"
#include "evident/particles/population.hpp"
#include "evident/path/target.hpp"
#include "problems/problems.hpp"

namespace evident::test {

/// Fills in what follows from z.
inline void complete(const Model& model, Population& x) {
  EvaluationCount count;
  const TemperedTarget target(model, 1.0, count);
  target.prior(x.z, x.theta, x.log_prior, x.log_jacobian);
  target.likelihood(x.theta, x.log_likelihood);
}

inline problems::Problem plane_with_two_modes() {
  ParameterSpace space;
  space.add("x", normal(0, 3)).add("y", normal(0, 3));
  auto model = lift(space, [](std::span<const double> t) {
    const auto mode = [&](double at) { return -0.5 * ((t[0] - at) * (t[0] - at) + (t[1] - at) * (t[1] - at)) / 0.09; };
    return log_add_exp(mode(-2), mode(2));
  });
  // Each mode: the integral of N(x; 0, 9) exp(-(x - 2)^2 / 0.18) in each coordinate.
  const double each = 0.5 * std::log(0.09 / 9.09) - 0.5 * 4 / 9.09;
  return {"plane", model, std::log(2.0) + 2 * each};
}

inline Population in_the_plane(const Model& model, bool both) {
  Population x(model, 1000);
  Streams({.seed = 5}).fill_normal({.purpose = Purpose::other}, x.z);
  for (std::size_t i = 0; i < 1000; ++i)
    for (std::size_t j = 0; j < 2; ++j)
      // The prior's precision pulls the modes a little towards zero.
      x.z(j, i) = (both && i % 2 == 1 ? -1 : 1) * 2 / 1.01 + 0.3 / std::sqrt(1.01) * x.z(j, i);
  complete(model, x);
  return x;
}

}  // namespace evident::test
