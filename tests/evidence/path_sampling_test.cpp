#include "evident/evidence/estimate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "evident/base/log_math.hpp"
#include "evident/path/trace.hpp"

namespace evident {
namespace {

const std::vector<double> kGrid = {0, 0.01, 0.03, 0.1, 0.15, 0.3, 0.5, 0.62, 1};

// A rule of degree p is exact for polynomials of degree p on any grid.
TEST(Integrate, IsExactForPolynomialsOfItsDegree) {
  for (std::size_t degree = 0; degree <= 4; ++degree) {
    std::vector<double> y;
    for (const double x : kGrid) y.push_back(std::pow(x, static_cast<double>(degree)));
    const double exact = 1.0 / static_cast<double>(degree + 1);
    for (std::size_t r = 0; r < kRules.size(); ++r) {
      const double got = integrate(kRules[r], kGrid, y);
      if (kRules[r] == Rule::simpson38) continue;  // eight intervals leave two for a lower degree
      if (degree <= r + 1)
        EXPECT_NEAR(got, exact, 1e-13) << name(kRules[r]) << " degree " << degree;
      else
        EXPECT_GT(std::abs(got - exact), 1e-7) << name(kRules[r]) << " degree " << degree;
    }
  }
}

TEST(Integrate, EqualStepsGiveTheTextbookWeights) {
  const std::vector<double> x = {0, 0.25, 0.5, 0.75, 1}, y = {1, 10, 100, 1000, 10000};
  EXPECT_NEAR(integrate(Rule::trapezoid, x, y), 0.125 * (1 + 20 + 200 + 2000 + 10000), 1e-10);
  EXPECT_NEAR(integrate(Rule::simpson, x, y), 0.25 / 3 * (1 + 40 + 200 + 4000 + 10000), 1e-9);
  EXPECT_NEAR(integrate(Rule::boole, x, y), 2 * 0.25 / 45 * (7 + 320 + 1200 + 32000 + 70000), 1e-9);
  const std::vector<double> x3 = {0, 1, 2, 3}, y3 = {1, 10, 100, 1000};
  EXPECT_NEAR(integrate(Rule::simpson38, x3, y3), 3.0 / 8 * (1 + 30 + 300 + 1000), 1e-9);
}

// A path whose mean is known everywhere: prior N(0,1), likelihood exp(-theta^2/2 * c): E = -c / (2 (1 + alpha c)).
Trace made_up(double c, const std::vector<double>& grid) {
  const auto mean = [&](double a) { return -c / (2 * (1 + a * c)); };
  const auto variance = [&](double a) { return c * c / (2 * (1 + a * c) * (1 + a * c)); };
  Trace trace;
  for (std::size_t t = 0; t < grid.size(); ++t) {
    Step s{.alpha = grid[t], .mean = mean(grid[t]), .variance = variance(grid[t])};
    if (t > 0) {
      s.log_ratio = -0.5 * (std::log1p(grid[t] * c) - std::log1p(grid[t - 1] * c));
      for (std::size_t j = 1; j < kFinest; ++j)
        s.finer[j - 1] = mean(grid[t - 1] + (grid[t] - grid[t - 1]) * static_cast<double>(j) / kFinest);
    }
    trace.steps.push_back(s);
  }
  return trace;
}

TEST(PathSampling, FinerGridsAndHigherRulesAreNearer) {
  const double c = 20, exact = -0.5 * std::log1p(c);
  const Trace trace = made_up(c, kGrid);
  EXPECT_NEAR(standard_estimate(trace), exact, 1e-13);
  const PathSampling ps = path_sampling(trace);
  EXPECT_EQ(ps.start, 0U);
  for (std::size_t g = 1; g < 4; ++g)
    EXPECT_LT(std::abs(ps.estimate[0][g] - exact), std::abs(ps.estimate[0][g - 1] - exact));
  EXPECT_LT(std::abs(ps.estimate[1][3] - exact), std::abs(ps.estimate[0][3] - exact));
  EXPECT_LT(std::abs(ps.estimate[3][3] - exact), std::abs(ps.estimate[1][3] - exact) / 5);
  EXPECT_LT(std::abs(ps.corrected - exact), std::abs(ps.estimate[0][0] - exact) / 5);
}

TEST(PathSampling, StartsWhereTheMeanCanBeIntegrated) {
  const double c = 20, exact = -0.5 * std::log1p(c);
  Trace trace = made_up(c, kGrid);
  trace.steps[0].mean = -kInf;
  trace.steps[0].variance = kNaN;
  trace.steps[1].variance = 1e12;  // wild: sd x step = 2e4
  const PathSampling ps = path_sampling(trace);
  EXPECT_EQ(ps.start, 2U);
  EXPECT_NEAR(ps.estimate[3][3], exact, 1e-6);
}

TEST(PathSampling, IncludesTheInitialWeights) {
  Trace trace = made_up(1, kGrid);
  const double before = standard_estimate(trace), path = path_sampling(trace).best();
  trace.log_initial = 2.5;
  EXPECT_NEAR(standard_estimate(trace), before + 2.5, 1e-13);
  EXPECT_NEAR(path_sampling(trace).best(), path + 2.5, 1e-13);
}

}  // namespace
}  // namespace evident
