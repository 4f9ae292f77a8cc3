// Draws against Boost's distribution functions: Kolmogorov-Smirnov for continuous families, chi-square for discrete.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "dist/goodness.hpp"
#include "dist/reference.hpp"
#include "evident/base/log_math.hpp"
#include "evident/dist/distribution.hpp"

namespace evident {
namespace {

constexpr std::size_t kDraws = 20000;

constexpr auto kContinuous = std::to_array<const char*>({"normal(0, 1)",
                                                         "normal(-5, 0.01)",
                                                         "half-normal(1)",
                                                         "half-normal(1e3)",
                                                         "lognormal(0, 1)",
                                                         "lognormal(2, 0.1)",
                                                         "student-t(0.5, 0, 1)",
                                                         "student-t(3, 1, 2)",
                                                         "student-t(200, -4, 0.1)",
                                                         "half-student-t(1, 1)",
                                                         "half-student-t(7, 0.2)",
                                                         "cauchy(0, 1)",
                                                         "cauchy(10, 1e-3)",
                                                         "half-cauchy(1)",
                                                         "half-cauchy(25)",
                                                         "laplace(0, 1)",
                                                         "laplace(-2, 8)",
                                                         "logistic(0, 1)",
                                                         "logistic(3, 0.5)",
                                                         "uniform(0, 1)",
                                                         "uniform(-1e6, 10)",
                                                         "log-uniform(1e-3, 1)",
                                                         "log-uniform(1, 1.001)",
                                                         "beta(1, 1)",
                                                         "beta(0.1, 0.2)",
                                                         "beta(2, 5)",
                                                         "beta(300, 1)",
                                                         "beta(1e4, 1e4)",
                                                         "gamma(shape=0.1, rate=0.1)",
                                                         "gamma(shape=0.1, scale=0.1)",
                                                         "gamma(shape=1, rate=2)",
                                                         "gamma(shape=2.5, scale=3)",
                                                         "gamma(shape=1e5, rate=1)",
                                                         "inverse-gamma(0.5, 1)",
                                                         "inverse-gamma(3, 2)",
                                                         "exponential(1)",
                                                         "exponential(1e-3)",
                                                         "weibull(0.5, 1)",
                                                         "weibull(1, 2)",
                                                         "weibull(6, 3)"});

constexpr auto kTruncated = std::to_array<const char*>(
    {"truncated-normal(0, 1, -1, 2)", "truncated-normal(0, 1, -0.1, 0.2)", "truncated-normal(0, 1, 0, 9)",
     "truncated-normal(0, 1, 0.5, 0.7)", "truncated-normal(0, 1, 1, 1e9)", "truncated-normal(0, 1, -7, -6)",
     "truncated-normal(1, 2, 21, 23)", "truncated-normal(1, 2, 21, 21.001)", "truncated-normal(-4, 0.5, -1e9, -12)"});

constexpr auto kDiscrete = std::to_array<const char*>(
    {"bernoulli(0.5)", "bernoulli(0.03)", "binomial(3, 0.4)", "binomial(24, 0.5)", "binomial(25, 0.9)",
     "binomial(1000, 0.01)", "binomial(1e6, 0.3)", "binomial(1e9, 0.7)", "poisson(0.1)", "poisson(3)", "poisson(15.9)",
     "poisson(17)", "poisson(200)", "poisson(1e5)", "poisson(1e8)", "negative-binomial(3, 2)",
     "negative-binomial(10, 0.2)", "negative-binomial(5000, 40)", "negative-binomial(2, 1e6)"});

std::vector<double> draws(const Distribution& d, std::uint64_t seed, std::size_t n = kDraws) {
  const Streams streams({.seed = seed});
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i) {
    Stream stream = streams.at({.particle = static_cast<std::uint32_t>(i), .purpose = Purpose::prior});
    x[i] = d.draw(stream);
  }
  return x;
}

class Draw : public testing::TestWithParam<const char*> {};

TEST_P(Draw, FollowsItsDistributionFunction) {
  const Distribution d = parse_distribution(GetParam());
  const std::vector<double> x = draws(d, 20160707);
  const auto cdf = [&d](double value) { return reference::cdf(d, value); };
  const Support s = d.support();
  for (const double value : x) ASSERT_TRUE(value >= s.lower && value <= s.upper && std::isfinite(value));
  const double p = s.discrete ? goodness::chi_square_p_value(x, cdf) : goodness::ks_p_value(x, cdf);
  EXPECT_GT(p, 1e-4);
}

INSTANTIATE_TEST_SUITE_P(Families, Draw, testing::ValuesIn(kContinuous));

INSTANTIATE_TEST_SUITE_P(TruncatedNormal, Draw, testing::ValuesIn(kTruncated));

INSTANTIATE_TEST_SUITE_P(Discrete, Draw, testing::ValuesIn(kDiscrete));

TEST(Draw, OfEveryFamilyIsTested) {
  std::set<const Family*> tested;
  const auto note = [&tested](const char* text) { tested.insert(&parse_distribution(text).family()); };
  std::ranges::for_each(kContinuous, note);
  std::ranges::for_each(kTruncated, note);
  std::ranges::for_each(kDiscrete, note);
  for (const Family* family : families()) EXPECT_TRUE(tested.contains(family)) << family->name();
}

TEST(Draw, HostileArgumentsNeverGiveNaNInfinityOrZero) {
  for (const char* text :
       {"gamma(shape=0.001, rate=1)", "gamma(shape=1e-300, rate=1)", "gamma(shape=1e300, rate=1e-300)",
        "gamma(shape=0.1, scale=1e-300)", "inverse-gamma(0.001, 1)", "inverse-gamma(1e-200, 1)", "weibull(1e-3, 1)",
        "weibull(1e6, 1)", "lognormal(0, 1e4)", "lognormal(1e9, 1)", "half-cauchy(1e-300)", "half-cauchy(1e300)",
        "half-student-t(0.01, 1)", "half-normal(1e-305)", "exponential(1e300)", "exponential(1e-300)",
        "log-uniform(1e-300, 1e300)"}) {
    for (const double x : draws(parse_distribution(text), 5, 5000)) {
      ASSERT_GE(x, std::numeric_limits<double>::min()) << text;
      ASSERT_LE(x, std::numeric_limits<double>::max()) << text;
    }
  }
  for (const char* text :
       {"student-t(0.5, 0, 1)", "student-t(1e-3, 0, 1)", "student-t(1e300, 0, 1)", "cauchy(0, 1e300)",
        "normal(1e308, 1e300)", "laplace(1e308, 1e300)", "logistic(-1e308, 1e300)"}) {
    for (const double x : draws(parse_distribution(text), 6, 5000)) ASSERT_TRUE(std::isfinite(x)) << text;
  }
}

TEST(Draw, BetaStaysInsideTheOpenInterval) {
  for (const char* text : {"beta(0.01, 0.01)", "beta(1e-6, 1e-6)", "beta(1e-300, 1e-300)", "beta(1e9, 1e-3)"}) {
    const Distribution d = parse_distribution(text);
    double near_one = 0;
    const std::vector<double> x = draws(d, 8);
    for (const double value : x) {
      ASSERT_TRUE(value > 0 && value < 1) << text;
      ASSERT_TRUE(std::isfinite(d.log_density(value))) << text;
      near_one += value > 0.5 ? 1 : 0;
    }
    // Both ends are as likely when the arguments are equal.
    if (d.arguments()[0] == d.arguments()[1]) {
      EXPECT_NEAR(near_one, kDraws / 2.0, 4 * std::sqrt(kDraws / 4.0)) << text;
    }
  }
}

TEST(Draw, TinyGammaShapesFollowTheirLogarithm) {
  // For a small shape a, X^a is nearly uniform where X did not underflow: P(X < t) = t^a / Gamma(a + 1) (1 + O(t)).
  const double shape = 0.003;
  const std::vector<double> x = draws(gamma_rate(shape, 1), 31);
  for (const double t : {1e-300, 1e-100, 1e-10}) {
    const double p = std::exp(shape * std::log(t) - std::lgamma(shape + 1));
    const auto below = std::count_if(x.begin(), x.end(), [t](double v) { return v < t; });
    EXPECT_NEAR(static_cast<double>(below), p * kDraws, 4 * std::sqrt(p * (1 - p) * kDraws)) << t;
  }
}

TEST(Draw, FarTruncatedNormalIsExponential) {
  // Beyond z standard deviations the excess times z is exponential up to a relative error of 1/z^2.
  for (const double z : {1e4, 1e7}) {
    std::vector<double> excess = draws(truncated_normal(0, 1, z, kInf), 77);
    for (double& value : excess) value = (value - z) * z;
    EXPECT_GT(goodness::ks_p_value(excess, [](double v) { return -std::expm1(-v); }), 1e-4) << z;
  }
  for (const double x : draws(truncated_normal(0, 1, 1e140, kInf), 78, 100)) EXPECT_EQ(x, 1e140);
}

TEST(Draw, HugeCountsHaveTheirMomentsAndAreWhole) {
  struct Moments {
    const char* text;
    double mean, variance;
  };
  for (const Moments& m : {Moments{"poisson(1e15)", 1e15, 1e15}, Moments{"binomial(1e15, 0.25)", 0.25e15, 0.1875e15}}) {
    double sum = 0, squares = 0;
    for (const double x : draws(parse_distribution(m.text), 12)) {
      ASSERT_EQ(x, std::floor(x));
      const double z = (x - m.mean) / std::sqrt(m.variance);
      sum += z;
      squares += z * z;
    }
    const double n = kDraws;
    EXPECT_NEAR(sum / n, 0, 4 / std::sqrt(n)) << m.text;
    EXPECT_NEAR(squares / n, 1, 4 * std::sqrt(2 / n)) << m.text;
  }
}

TEST(Draw, IsRepeatable) {
  for (const char* text : {"gamma(2, rate=1)", "poisson(1e4)", "beta(0.1, 3)"}) {
    EXPECT_EQ(draws(parse_distribution(text), 3, 100), draws(parse_distribution(text), 3, 100));
    EXPECT_NE(draws(parse_distribution(text), 3, 100), draws(parse_distribution(text), 4, 100));
  }
}

}  // namespace
}  // namespace evident
