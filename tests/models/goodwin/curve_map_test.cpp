#include "models/goodwin/curve_map.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "models/goodwin/goodwin.hpp"
#include "models/goodwin/problems.hpp"
#include "support/mean_error.hpp"

namespace evident {
namespace {

using goodwin::CurveMap;
using goodwin::DecayRange;

struct Setting {
  GoodwinSimulation simulation = test::short_record(3);
  Goodwin model{simulate_goodwin(simulation, Streams({.seed = 5})), {}};
  CurveMap map{model};
  DecayRange range = goodwin::decay_range(model.problem().plan());
};

const Setting& setting() {
  static const Setting s;
  return s;
}

double log_a0_of_truth() { return std::log(setting().simulation.theta[0]); }
double log_b_of_truth() {
  const auto& t = setting().simulation.theta;
  return std::log(t[1] * t[3] * t[4] / std::pow(t[0], 3)) + std::log(t[2]) / 10;
}

TEST(CurveMap, DrawsHaveTheStatedDensity) {
  const CurveMap& map = setting().map;
  const auto level = map.level(1e-5);
  // The mean over draws of 1 / density inside a region is the area of the region.
  const double low_a0 = -1.5, high_a0 = 0, low_b = 0, high_b = 2;
  std::vector<double> inverse;
  BlockStorage u(3, 20000);
  Streams({.seed = 8}).fill_uniform({}, u);
  for (std::size_t i = 0; i < u.size(); ++i) {
    const auto [a0, b] = map.draw(*level, u(0, i), u(1, i), u(2, i));
    const bool inside = a0 > low_a0 && a0 < high_a0 && b > low_b && b < high_b;
    inverse.push_back(inside ? std::exp(-map.log_density(*level, a0, b)) : 0);
  }
  expect_mean(inverse, (high_a0 - low_a0) * (high_b - low_b), "area");
  EXPECT_LT(mean_error(inverse).standard_error, 0.2);
}

TEST(CurveMap, OutsideThereIsNothing) {
  const CurveMap& map = setting().map;
  const auto level = map.level(0.1);
  EXPECT_EQ(map.log_density(*level, setting().range.fastest + 0.01, 1), -kInf);
  EXPECT_EQ(map.log_density(*level, setting().range.slowest - 0.01, 1), -kInf);
  EXPECT_EQ(map.log_density(*level, 0, -0.51), -kInf);
  EXPECT_EQ(map.log_density(*level, 0, 10.01), -kInf);
  EXPECT_EQ(map.log_density(*level, kNaN, 1), -kInf);
}

TEST(CurveMap, FindsTheCurveThatMadeTheData) {
  const CurveMap& map = setting().map;
  const auto level = map.level(0.5);
  BlockStorage u(3, 1000);
  Streams({.seed = 9}).fill_uniform({}, u);
  std::size_t near = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    const auto [a0, b] = map.draw(*level, u(0, i), u(1, i), u(2, i));
    near += std::abs(a0 - log_a0_of_truth()) < 0.1 && std::abs(b - log_b_of_truth()) < 0.3 ? 1U : 0U;
  }
  EXPECT_GT(near, 900U);
}

TEST(CurveMap, IsFlatterAtLowPowers) {
  const CurveMap& map = setting().map;
  double before = kInf;
  for (const double alpha : {0.5, 0.05, 0.005, 0.0005}) {
    const double now = map.log_density(*map.level(alpha), log_a0_of_truth(), log_b_of_truth());
    EXPECT_LT(now, before) << alpha;
    before = now;
  }
}

TEST(CurveMap, LevelsAreRoundedDownAndKept) {
  const CurveMap& map = setting().map;
  EXPECT_EQ(map.level(0.26), map.level(0.27));
  EXPECT_NE(map.level(0.26), map.level(0.30));
  const auto kept = map.level(0.26);
  for (double alpha = 1e-6; alpha < 1; alpha *= 1.2) map.level(alpha);
  EXPECT_NE(map.level(0.26), kept);                            // made again after so many others ...
  EXPECT_EQ(map.level(0.26)->log_density, kept->log_density);  // ... and the same
}

}  // namespace
}  // namespace evident
