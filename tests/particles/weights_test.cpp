#include "particles/weights.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "evident/base/log_math.hpp"

namespace evident {
namespace {

double sum(std::span<const double> x) { return std::accumulate(x.begin(), x.end(), 0.0); }

TEST(Weights, StartEqualAndNormalised) {
  const Weights w(7);
  EXPECT_NEAR(sum(w.values()), 1, 1e-15);
  EXPECT_NEAR(log_sum_exp(w.log()), 0, 1e-12);
  EXPECT_NEAR(w.ess(), 1, 1e-15);
}

TEST(Weights, AbsorbGivesTheMeanAndNormalises) {
  Weights w(3);
  const std::vector<double> l = {1, 2, 3};
  const double expected = std::log((std::exp(0.5) + std::exp(1.0) + std::exp(1.5)) / 3);
  EXPECT_NEAR(w.absorb(l, 0.5).log_ratio, expected, 1e-14);
  EXPECT_NEAR(sum(w.values()), 1, 1e-14);
  EXPECT_NEAR(log_sum_exp(w.log()), 0, 1e-12);
  EXPECT_NEAR(w.values()[2] / w.values()[0], std::exp(1.0), 1e-13);
}

TEST(Weights, TwoHalfStepsEqualOneWholeStep) {
  Weights once(50), twice(50);
  std::vector<double> l(50);
  for (std::size_t i = 0; i < l.size(); ++i) l[i] = -static_cast<double>(i * i);
  const double whole = once.absorb(l, 0.02).log_ratio;
  const double first = twice.absorb(l, 0.01).log_ratio;
  EXPECT_NEAR(whole, first + twice.absorb(l, 0.01).log_ratio, 1e-13);
  for (std::size_t i = 0; i < l.size(); ++i) EXPECT_NEAR(once.values()[i], twice.values()[i], 1e-14);
}

TEST(Weights, SurviveExtremeValues) {
  Weights w(4);
  const std::vector<double> l = {-1e300, -kInf, -1e6, kNaN};
  const double got = w.absorb(l, 1.0).log_ratio;
  EXPECT_NEAR(got, -1e6 + std::log(0.25), 1e-9);
  EXPECT_EQ(w.values()[0], 0);
  EXPECT_EQ(w.values()[1], 0);
  EXPECT_EQ(w.values()[2], 1);
  EXPECT_EQ(w.values()[3], 0);
  const std::vector<double> none = {-kInf, -kInf, -kInf, -kInf};
  EXPECT_EQ(w.absorb(none, 1.0).log_ratio, -kInf);
  EXPECT_EQ(w.values()[2], 1) << "weights stay as they were";
}

TEST(Weights, CessEqualsEssOnlyForEqualWeights) {
  const std::vector<double> l = {0.3, -1, 2, 0.7, -0.2};
  Weights w(5);
  EXPECT_NEAR(cess(w.values(), l, 0.8), ess_after(w.values(), l, 0.8), 1e-14);
  w.absorb(l, 1.0);
  EXPECT_GT(std::abs(cess(w.values(), l, 0.8) - ess_after(w.values(), l, 0.8)), 1e-3);
}

// The formula of the paper, written out.
TEST(Weights, CessIsThePapersFormula) {
  const std::vector<double> weights = {0.5, 0.2, 0.3}, l = {-2, 0.5, 1};
  double first = 0, second = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double increment = std::exp(0.7 * l[i]);
    first += weights[i] * increment;
    second += weights[i] * increment * increment;
  }
  EXPECT_NEAR(cess(weights, l, 0.7), first * first / second, 1e-14);
}

TEST(Weights, MomentsIgnoreParticlesOfWeightZero) {
  const std::vector<double> weights = {0.5, 0.5, 0}, l = {1, 3, -kInf};
  const Moments m = weighted_moments(weights, l);
  EXPECT_DOUBLE_EQ(m.mean, 2);
  EXPECT_DOUBLE_EQ(m.variance, 1);
  const std::vector<double> all = {0.4, 0.4, 0.2};
  EXPECT_EQ(weighted_moments(all, l).mean, -kInf);
}

}  // namespace
}  // namespace evident
