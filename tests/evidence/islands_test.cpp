#include "evident/evidence/estimate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "evidence/log_normal_mean.hpp"
#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "evident/base/random.hpp"

namespace evident {
namespace {

TEST(Islands, MeanIsThatOfTheEvidences) {
  const std::vector<double> z = {std::log(1.0), std::log(2.0), std::log(6.0)};
  EXPECT_NEAR(island_evidence(z).value, std::log(3.0), 1e-14);
  // Far from the range of a double it is the same.
  std::vector<double> far = z;
  for (double& v : far) v -= 1e5;
  const Estimate a = island_evidence(z), b = island_evidence(far);
  EXPECT_NEAR(b.value + 1e5, std::log(3.0), 1e-9);
  EXPECT_NEAR(b.standard_error, a.standard_error, 1e-9);
  EXPECT_EQ(a.degrees, 2);
}

TEST(Islands, ErrorByHand) {
  const std::vector<double> z = {-0.3, 0.1, 0.2, 0.4};  // mean 0.1, variance 0.26 / 3
  const double s2 = 0.26 / 3, error = std::sqrt(s2 / 4 + s2 * s2 / 6);
  const Estimate e = island_evidence(z);
  EXPECT_NEAR(e.standard_error, error, 1e-14);
  // Fewer than four: Student's t, whose quantile with 2 degrees of freedom is 4.302652730.
  const Estimate three = island_evidence(std::span(z).first(3));
  EXPECT_NEAR(three.interval().upper - three.value, 4.302652730 * three.standard_error, 1e-8);
  EXPECT_NEAR(three.value - three.interval().lower, 4.302652730 * three.standard_error, 1e-8);
}

// The law that the interval comes from, drawn: m + s sqrt((n - 1) / (n U)) Z + s^2 (n - 1) / (2 U).
TEST(Islands, IntervalIsThatOfALogNormalMean) {
  constexpr std::size_t kDraws = 200'000, kIslands = 5;
  const double m = -3, variance = 0.49;
  Stream random = Streams({.seed = 3}).at({.purpose = Purpose::simulate});
  std::vector<double> draws;
  for (std::size_t i = 0; i < kDraws; ++i) {
    double u = 0;
    for (std::size_t k = 1; k < kIslands; ++k) u += std::pow(random.normal(), 2);
    const double n = kIslands, scale = std::sqrt(variance * (n - 1) / (n * u));
    draws.push_back(m + scale * random.normal() + 0.5 * variance * (n - 1) / u);
  }
  const Interval interval = log_normal_mean_interval(m, variance, kIslands);
  const auto share_below = [&](double x) {
    return static_cast<double>(std::ranges::count_if(draws, [&](double d) { return d < x; })) / kDraws;
  };
  const double error = std::sqrt(0.025 * 0.975 / kDraws);
  EXPECT_NEAR(share_below(interval.lower), 0.025, 4 * error);
  EXPECT_NEAR(share_below(interval.upper), 0.975, 4 * error);
  // Without scatter there is nothing to be off by; with little of it the law is Student's t.
  EXPECT_EQ(log_normal_mean_interval(m, 0, kIslands).upper, m);
  const Interval narrow = log_normal_mean_interval(0, 1e-8, kIslands);
  EXPECT_NEAR(narrow.upper, 2.776445105 * 1e-4 / std::sqrt(5.0), 1e-7);
  EXPECT_NEAR(narrow.lower, -narrow.upper, 1e-7);
}

// Unbiased estimates whose logarithms are normal: how often does the interval hold log Z = 0?
constexpr std::size_t kTrials = 2000;
double coverage(std::size_t islands, double sd, std::uint64_t seed) {
  Stream random = Streams({.seed = seed}).at({.purpose = Purpose::simulate});
  std::size_t held = 0;
  std::vector<double> z(islands);
  for (std::size_t t = 0; t < kTrials; ++t) {
    for (double& v : z) v = -0.5 * sd * sd + sd * random.normal();
    const Estimate e = island_evidence(z);
    held += e.interval().lower < 0 && e.interval().upper > 0 ? 1 : 0;
  }
  return static_cast<double>(held) / kTrials;
}

TEST(Islands, IntervalsHoldTheTruthAsOftenAsTheySay) {
  std::uint64_t seed = 1;
  for (const std::size_t islands : {4, 8, 16})
    for (const double sd : {0.1, 0.5, 1.0, 1.5, 2.0}) {
      const double c = coverage(islands, sd, ++seed), error = std::sqrt(0.95 * 0.05 / kTrials);
      EXPECT_GT(c, 0.93 - 2 * error) << islands << " islands, SD " << sd;
      EXPECT_LT(c, 0.98) << islands << " islands, SD " << sd;
    }
  for (const double sd : {0.05, 0.2, 0.5, 1.0, 1.5}) {
    const double c = coverage(2, sd, ++seed);
    EXPECT_GT(c, 0.90) << sd;
    EXPECT_LT(c, 0.98) << sd;
  }
}

TEST(Islands, OneRunVarianceIsAFloor) {
  const std::vector<double> z = {1.0, 1.001, 0.999}, small = {1e-8, 1e-8, 1e-8}, large = {0.04, 0.04, kNaN};
  EXPECT_EQ(island_evidence(z, small).standard_error, island_evidence(z).standard_error);
  const Estimate e = island_evidence(z, large);
  EXPECT_NEAR(e.standard_error, std::sqrt(0.04 / 3 + 0.04 * 0.04 / 4), 1e-12);
}

TEST(Islands, OneIslandKnowsNoSpread) {
  const std::vector<double> one = {-7.0}, variance = {0.25};
  const Estimate alone = island_evidence(one);
  EXPECT_EQ(alone.value, -7.0);
  EXPECT_TRUE(std::isnan(alone.standard_error) && std::isnan(alone.interval().lower));
  const Estimate with = island_evidence(one, variance);
  EXPECT_NEAR(with.standard_error, 0.5, 1e-14);
  EXPECT_NEAR(with.interval().upper, -7 + 0.5 * 1.959963985, 1e-8);
}

TEST(Islands, ZeroEvidenceCounts) {
  const std::vector<double> some = {-kInf, 0.0, 0.0, 0.0};
  const Estimate e = island_evidence(some);
  EXPECT_NEAR(e.value, std::log(0.75), 1e-14);
  EXPECT_NEAR(e.standard_error, 0.25 / 0.75, 1e-12);  // mean 3/4, variance 1/4 over four islands
  const std::vector<double> none = {-kInf, -kInf};
  EXPECT_EQ(island_evidence(none).value, -kInf);
  EXPECT_TRUE(std::isnan(island_evidence(none).standard_error));
}

TEST(Islands, RefusesWhatMakesNoSense) {
  const std::vector<double> two = {1.0, 2.0}, one = {1.0}, wrong = {1.0, kNaN}, huge = {kInf};
  EXPECT_THROW(island_evidence({}), InputError);
  EXPECT_THROW(island_evidence(two, one), InputError);
  EXPECT_THROW(island_evidence(wrong), InputError);
  EXPECT_THROW(island_evidence(huge), InputError);
}

}  // namespace
}  // namespace evident
