// Far tails of gamma and beta distributions, where the shares themselves are no numbers any more. The answers are from
// series in 60 digits (mpmath).
#include "formula/incomplete.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace evident::formula {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void expect_near(double value, double truth) { EXPECT_NEAR(value, truth, 1e-12 * std::max(1.0, std::abs(truth))); }

TEST(Incomplete, GammaBelow) {
  expect_near(log_gamma_below(3, 2), -1.1291016497509286);
  expect_near(log_gamma_below(400, 20), -822.15663336040943);
  expect_near(log_gamma_below(2.5, 1e-150), -864.67038347511421);
  expect_near(log_gamma_below(1e4, 1000), -14031.269698821252);
  EXPECT_EQ(log_gamma_below(3, 0), -kInfinity);
  EXPECT_EQ(log_gamma_below(3, kInfinity), 0);
}

TEST(Incomplete, GammaAbove) {
  expect_near(log_gamma_above(3, 2), -0.39056208756589963);
  expect_near(log_gamma_above(0.5, 900), -903.97411711064388);
  expect_near(log_gamma_above(20, 1500), -1400.3759579103047);
  expect_near(log_gamma_above(2, 1e5), -99988.48706453508);
  EXPECT_EQ(log_gamma_above(3, 0), 0);
  EXPECT_EQ(log_gamma_above(3, kInfinity), -kInfinity);
}

TEST(Incomplete, BetaBelow) {
  expect_near(log_beta_below(2, 3, 0.3), -1.0546911016101816);
  expect_near(log_beta_below(500, 2, 0.1), -1145.1810791575201);
  expect_near(log_beta_below(3, 4, 1e-120), -825.93490120430246);
  expect_near(log_beta_below(900, 900, 0.02), -2295.9642900654916);
  EXPECT_EQ(log_beta_below(2, 3, 0), -kInfinity);
  EXPECT_EQ(log_beta_below(2, 3, 1), 0);
}

TEST(Incomplete, OutOfRangeIsNoNumber) {
  for (const double a : {-1.0, 0.0, 1e10, std::nan("")}) {
    EXPECT_TRUE(std::isnan(log_gamma_below(a, 1))) << a;
    EXPECT_TRUE(std::isnan(log_gamma_above(a, 1))) << a;
    EXPECT_TRUE(std::isnan(log_beta_below(a, 1, 0.5))) << a;
    EXPECT_TRUE(std::isnan(log_beta_below(1, a, 0.5))) << a;
  }
  EXPECT_TRUE(std::isnan(log_gamma_below(1, -1)));
  EXPECT_TRUE(std::isnan(log_gamma_above(1, -1)));
  EXPECT_TRUE(std::isnan(log_beta_below(1, 1, 1.5)));
}

// Far out, too: d/da log I_x(a, b), by differences of the answers above at a +- 1e-3.
TEST(Incomplete, SlopesGoOnIntoTheTails) {
  const auto difference = [](auto f, double at) { return (f(at + 1e-3) - f(at - 1e-3)) / 2e-3; };
  const auto same = [](double a, double b) { EXPECT_NEAR(a, b, 1e-5 * std::max(1.0, std::abs(b))); };
  same(slope_gamma_below(400, 20), difference([](double a) { return log_gamma_below(a, 20); }, 400));
  same(slope_gamma_above(20, 1500), difference([](double a) { return log_gamma_above(a, 1500); }, 20));
  same(slope_beta_below_a(500, 2, 0.1), difference([](double a) { return log_beta_below(a, 2, 0.1); }, 500));
  same(slope_beta_below_b(500, 2, 0.1), difference([](double b) { return log_beta_below(500, b, 0.1); }, 2));
}

}  // namespace
}  // namespace evident::formula
