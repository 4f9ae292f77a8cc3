// Ordered vectors: sorted draws of one prior.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "model/ordered.hpp"

namespace evident {
namespace {

/// On the line, on a half-line, within an interval, and with a parameter of its own.
std::vector<ParameterSpace> spaces() {
  std::vector<ParameterSpace> out(4);
  add_ordered(out[0], "x", normal(1, 2), 3);
  add_ordered(out[1], "x", gamma_rate(2, 1), 3);
  add_ordered(out[2], "x", uniform(-1, 4), 3);
  add_ordered(out[3].add("m", normal(0, 1)), "x", normal("m", 2), 3);
  return out;
}

TEST(Ordered, DrawsAreInOrderAndHaveADensity) {
  for (const ParameterSpace& space : spaces()) {
    const std::size_t first = space.size() - 3;
    EXPECT_EQ(space.names().back(), "x[3]");
    EXPECT_EQ(space.free_size(), space.size());
    BlockStorage theta(space.size(), 40);
    space.draw(Streams({.seed = 1}), 0, theta);
    std::vector<double> density(40);
    space.log_density(theta, density);
    for (std::size_t i = 0; i < 40; ++i) {
      EXPECT_LT(theta(first, i), theta(first + 1, i));
      EXPECT_LT(theta(first + 1, i), theta(first + 2, i));
      EXPECT_TRUE(std::isfinite(density[i]));
    }
    for (std::size_t i = 0; i < 40; ++i) std::swap(theta(first, i), theta(first + 2, i));
    space.log_density(theta, density);
    for (const double d : density) EXPECT_EQ(d, -kInf);
  }
}

TEST(Ordered, DensityCountsEveryOrder) {
  ParameterSpace space;
  add_ordered(space, "x", normal(1, 2), 3);
  BlockStorage theta(3, 1);
  std::vector<double> out(1);
  double expected = std::log(6.0);
  for (std::size_t k = 0; k < 3; ++k) {
    theta(k, 0) = -1.0 + 1.5 * static_cast<double>(k);
    expected += normal(1, 2).log_density(theta(k, 0));
  }
  space.log_density(theta, out);
  EXPECT_NEAR(out[0], expected, 1e-14);
}

TEST(Ordered, TheMapGoesThereAndBackAndHasItsGradient) {
  for (const ParameterSpace& space : spaces()) {
    const std::size_t n = space.size();
    BlockStorage theta(n, 8), z(n, 8), again(n, 8), weights(n, 8), slopes(n, 8);
    space.draw(Streams({.seed = 2}), 0, theta);
    space.unconstrain(theta, z);
    std::vector<double> jacobian(8);
    space.constrain(z, again, jacobian);
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < 8; ++i) {
        EXPECT_NEAR(again(j, i), theta(j, i), 1e-9 * std::max(1.0, std::abs(theta(j, i))));
        weights(j, i) = 0.3 + static_cast<double>(j);
      }
    // f(z) = sum of weights x theta + log |dtheta/dz|, by differences.
    space.pull_back(z, again, weights, slopes, true);
    const auto value = [&](BlockStorage at) {
      std::vector<double> f(8);
      space.constrain(at, again, f);
      for (std::size_t i = 0; i < 8; ++i)
        for (std::size_t j = 0; j < n; ++j) f[i] += weights(j, i) * again(j, i);
      return f;
    };
    for (std::size_t j = 0; j < n; ++j) {
      BlockStorage above = z, below = z;
      for (std::size_t i = 0; i < 8; ++i) {
        above(j, i) += 1e-6;
        below(j, i) -= 1e-6;
      }
      const std::vector<double> high = value(above), low = value(below);
      for (std::size_t i = 0; i < 8; ++i)
        EXPECT_NEAR(slopes(j, i), (high[i] - low[i]) / 2e-6, 1e-6 * std::max(1.0, std::abs(slopes(j, i)))) << j;
    }
  }
}

TEST(Ordered, RefusesWhatCannotBeMoved) {
  ParameterSpace space;
  space.add("m", normal(0, 1));
  EXPECT_THROW(add_ordered(space, "x", uniform("m", 9), 2), InputError);
  EXPECT_THROW(add_ordered(space, "x", poisson(2), 2), InputError);
  EXPECT_THROW(add_ordered(space, "x", normal(0, 1), 0), InputError);
  EXPECT_THROW(add_ordered(space, "x", normal("nobody", 1), 2), InputError);
}

}  // namespace
}  // namespace evident
