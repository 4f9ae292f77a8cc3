// The solver against an adaptive Runge-Kutta-Fehlberg 7(8) at 1e-12, and against closed forms.
#include <gtest/gtest.h>

#include <algorithm>

#include "models/goodwin/problems.hpp"
#include "models/goodwin/solver.hpp"

namespace evident {
namespace {

using test::Cloud;

/// The largest error, relative to max(1, |log likelihood|).
double worst_error(std::size_t m, double rho, Cloud cloud, std::size_t count) {
  GoodwinSimulation s = test::typical(m);
  s.rho = rho;
  const GoodwinData data = simulate_goodwin(s, Streams({.seed = 3}));
  const GoodwinProblem problem(data, m, rho, s.sigma);
  const auto all = test::draws(cloud, s.theta, count);
  const BlockStorage theta = test::as_block(all);
  std::vector<double> out(count);
  goodwin_log_likelihood(problem, theta, out);
  double worst = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double truth = test::reference(data, s, all[i]);
    worst = std::max(worst, std::abs(out[i] - truth) / std::max(1.0, std::abs(truth)));
  }
  return worst;  // an infinite or NaN result fails the comparison of the caller
}

TEST(GoodwinAccuracy, NearTheFit) {
  for (const std::size_t m : {2, 3, 4, 5, 6, 8}) EXPECT_LT(worst_error(m, 10, Cloud::near_fit, 200), 1e-6) << m;
}

TEST(GoodwinAccuracy, OverThePrior) {
  for (const std::size_t m : {2, 3, 5}) EXPECT_LT(worst_error(m, 10, Cloud::prior, 1000), 1e-5) << m;
}

TEST(GoodwinAccuracy, OverAWideCloud) {
  for (const std::size_t m : {2, 3, 4, 5, 8}) EXPECT_LT(worst_error(m, 10, Cloud::wide, 300), 1e-5) << m;
}

TEST(GoodwinAccuracy, OtherPowers) {
  for (const double rho : {0.7, 1.0, 2.0, 2.5, 7.0, 12.5}) {
    EXPECT_LT(worst_error(3, rho, Cloud::near_fit, 100), rho > 10 ? 1e-5 : 1e-6) << rho;
    EXPECT_LT(worst_error(5, rho, Cloud::wide, 100), 1e-5) << rho;
  }
}

TEST(GoodwinAccuracy, StiffAndOscillating) {
  const GoodwinData data = test::typical_data(3);
  const GoodwinSimulation s = test::typical(3);
  const GoodwinProblem problem(data, 3, 10, s.sigma);
  const std::vector<std::vector<double>> all{
      {84, 300, 0.1, 80, 90},    // rests after a thousandth of the record
      {150, 1e5, 50, 200, 300},  // fast decay, oscillates for ever
      {1e-30, 5, 3, 2, 1},       // no decay at all
      {1e-3, 200, 1e-200, 150, 150}, {30, 1e6, 1e10, 1e4, 1e4}, {0.5, 1e-12, 1, 1, 1},
  };
  const BlockStorage theta = test::as_block(all);
  std::vector<double> out(all.size());
  goodwin_log_likelihood(problem, theta, out);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double truth = test::reference(data, s, all[i]);
    EXPECT_NEAR(out[i], truth, 1e-5 * std::abs(truth)) << i;
  }
}

TEST(GoodwinAccuracy, WithoutFeedbackThereIsAClosedForm) {
  const double a0 = 0.7, a1 = 2, k1 = 1.3;
  GoodwinData data{.times = {0.01, 1, 2.5, 40, 41}, .states = {1, 0}, .values = {}};
  data.values.assign(2, std::vector<double>(5, 1.0));
  const GoodwinProblem problem(data, 2, 10, 0.5);
  const std::vector<double> theta{a0, a1, 1e-300, k1};
  double expected = -10 * (0.5 * kLog2Pi + std::log(0.5));
  for (const double t : data.times) {
    const double x1 = a1 / a0 * -std::expm1(-a0 * t);
    const double x2 = a1 * k1 / (a0 * a0) * (1 - std::exp(-a0 * t) * (1 + a0 * t));
    expected -= ((1 - x1) * (1 - x1) + (1 - x2) * (1 - x2)) / 0.5;
  }
  BlockStorage block(4, 1);
  for (std::size_t j = 0; j < 4; ++j) block(j, 0) = theta[j];
  std::vector<double> out(1);
  goodwin_log_likelihood(problem, block, out);
  EXPECT_NEAR(out[0], expected, 1e-7 * std::abs(expected));
}

TEST(GoodwinAccuracy, AnyStatesAtAnyTimes) {
  GoodwinSimulation s = test::typical(5);
  s.times = {0.3, 0.31, 2, 17.5, 17.75, 44};
  s.states = {4, 2, 0};
  s.sigma = 0.05;
  const GoodwinData data = simulate_goodwin(s, Streams({.seed = 5}));
  const GoodwinProblem problem(data, 5, 10, s.sigma);
  const auto all = test::draws(Cloud::near_fit, s.theta, 50);
  for (const auto& theta : all) {
    const double truth = test::reference(data, s, theta);
    EXPECT_NEAR(goodwin_log_likelihood_scalar(problem, theta), truth, 1e-6 * std::max(1.0, std::abs(truth)));
  }
}

}  // namespace
}  // namespace evident
