// The table of the Runge-Kutta method satisfies its order conditions: one per rooted tree.
#include "formula/tsitouras.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace evident::formula::tsitouras {
namespace {

using Stages = std::array<double, 7>;

/// sum_j a_ij x_j for every stage i.
Stages inner(const Stages& x) {
  Stages out{};
  for (std::size_t i = 1; i < 7; ++i)
    for (std::size_t j = 0; j < i; ++j) out[i] += kStage[i - 1][j] * x[j];
  return out;
}

Stages times(const Stages& x, const Stages& y) {
  Stages out{};
  for (std::size_t i = 0; i < 7; ++i) out[i] = x[i] * y[i];
  return out;
}

struct Tree {
  Stages weights;  ///< what the method makes of it, before its last sum
  double order, density;
};

std::vector<Tree> trees() {
  const Stages one = {1, 1, 1, 1, 1, 1, 1}, c = kTime;
  const Stages c2 = times(c, c), c3 = times(c2, c), ac = inner(c), ac2 = inner(c2), aac = inner(ac);
  return {{one, 1, 1},
          {c, 2, 2},
          {c2, 3, 3},
          {ac, 3, 6},
          {c3, 4, 4},
          {times(c, ac), 4, 8},
          {ac2, 4, 12},
          {aac, 4, 24},
          {times(c3, c), 5, 5},
          {times(c2, ac), 5, 10},
          {times(ac, ac), 5, 20},
          {times(c, ac2), 5, 15},
          {times(c, aac), 5, 30},
          {inner(c3), 5, 20},
          {inner(times(c, ac)), 5, 40},
          {inner(ac2), 5, 60},
          {inner(aac), 5, 120}};
}

TEST(Tsitouras, StagesStandAtTheirTimes) {
  const Stages at = inner({1, 1, 1, 1, 1, 1, 1});
  for (std::size_t i = 0; i < 7; ++i) EXPECT_NEAR(at[i], kTime[i], 1e-14);
}

TEST(Tsitouras, TheStepHasOrderFiveAndItsPartnerOrderFour) {
  for (const Tree& tree : trees()) {
    double step = 0, error = 0;
    for (std::size_t j = 0; j < 7; ++j) {
      if (j < 6) step += kStage[5][j] * tree.weights[j];
      error += kError[j] * tree.weights[j];
    }
    EXPECT_NEAR(step, 1 / tree.density, 2e-14) << tree.density;
    if (tree.order < 5) {
      EXPECT_NEAR(error, 0, 2e-14) << tree.density;
    }
  }
}

TEST(Tsitouras, TheInterpolantHasOrderFour) {
  for (const double x : {0.0, 0.2, 0.5, 0.9, 1.0}) {
    Stages b{};
    for (std::size_t j = 0; j < 7; ++j)
      for (std::size_t d = 4; d-- > 0;) b[j] = x * (kInterpolant[j][d] + b[j]);
    for (const Tree& tree : trees()) {
      if (tree.order > 4) continue;
      double sum = 0;
      for (std::size_t j = 0; j < 7; ++j) sum += b[j] * tree.weights[j];
      EXPECT_NEAR(sum, std::pow(x, tree.order) / tree.density, 1e-13) << x << " " << tree.density;
    }
    for (std::size_t j = 0; j < 7 && x == 1; ++j) EXPECT_NEAR(b[j], j < 6 ? kStage[5][j] : 0, 1e-13);
  }
}

}  // namespace
}  // namespace evident::formula::tsitouras
