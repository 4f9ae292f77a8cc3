#include "particles/resample.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "evident/base/error.hpp"

namespace evident {
namespace {

constexpr ResampleScheme kAll[] = {ResampleScheme::multinomial, ResampleScheme::residual, ResampleScheme::stratified,
                                   ResampleScheme::systematic, ResampleScheme::residual_stratified};

std::vector<double> some_weights(std::size_t n) {
  std::vector<double> w(n);
  for (std::size_t i = 0; i < n; ++i) w[i] = i % 7 == 3 ? 0.0 : 1.0 + static_cast<double>((i * 37) % 11);
  const double total = std::accumulate(w.begin(), w.end(), 0.0);
  for (double& v : w) v /= total;
  return w;
}

std::vector<double> counts(const std::vector<std::uint32_t>& parents, std::size_t n) {
  std::vector<double> c(n, 0.0);
  for (const std::uint32_t p : parents) c.at(p) += 1;
  return c;
}

class EveryScheme : public testing::TestWithParam<ResampleScheme> {};
INSTANTIATE_TEST_SUITE_P(Schemes, EveryScheme, testing::ValuesIn(kAll));

TEST_P(EveryScheme, NameGoesThereAndBack) { EXPECT_EQ(resample_scheme(name(GetParam())), GetParam()); }

// The mean number of copies is N W_i: each count has variance at most that of multinomial resampling.
TEST_P(EveryScheme, ExpectedCountsAreRight) {
  const std::size_t n = 20;
  const auto w = some_weights(n);
  constexpr int kRuns = 20000;
  std::vector<double> total(n, 0.0);
  for (int run = 0; run < kRuns; ++run) {
    const Streams streams({.seed = 3, .replicate = static_cast<std::uint32_t>(run)});
    const auto parents = resample(GetParam(), w, n, streams, 1);
    ASSERT_EQ(parents.size(), n);
    const auto c = counts(parents, n);
    for (std::size_t i = 0; i < n; ++i) total[i] += c[i];
  }
  for (std::size_t i = 0; i < n; ++i) {
    const double expected = static_cast<double>(n) * w[i];
    const double error = std::sqrt(static_cast<double>(n) * w[i] * (1 - w[i]) / kRuns);
    EXPECT_NEAR(total[i] / kRuns, expected, 4 * error + 1e-12) << "particle " << i;
  }
}

TEST_P(EveryScheme, NeverPicksWeightZeroAndKeepsACertainParticle) {
  std::vector<double> w(9, 0.0);
  w[4] = 1.0;
  for (std::uint32_t p : resample(GetParam(), w, 9, Streams({.seed = 1}), 1)) EXPECT_EQ(p, 4U);
  const auto some = some_weights(50);
  for (std::uint32_t p : resample(GetParam(), some, 50, Streams({.seed = 2}), 1)) EXPECT_GT(some[p], 0.0);
}

// Halves of the particles calibrate each other's moves, so copies of one parent must not be in both.
TEST_P(EveryScheme, CopiesOfOneParentAreNeighbours) {
  const auto parents = resample(GetParam(), some_weights(50), 50, Streams({.seed = 4}), 1);
  EXPECT_TRUE(std::is_sorted(parents.begin(), parents.end()));
}

TEST_P(EveryScheme, EqualWeightsOfTheStratifiedKindsKeepEveryParticle) {
  if (GetParam() == ResampleScheme::multinomial) return;  // the one scheme that may lose some
  const std::vector<double> w(8, 0.125);
  const auto c = counts(resample(GetParam(), w, 8, Streams({.seed = 5}), 2), 8);
  for (const double v : c) EXPECT_EQ(v, 1);
}

// Exact bounds: systematic within one of N W_i, stratified within two, residual at least the floor.
TEST(Resample, CountsStayWithinTheirBounds) {
  const std::size_t n = 33;
  const auto w = some_weights(n);
  for (std::uint32_t run = 0; run < 500; ++run) {
    const Streams streams({.seed = 4, .replicate = run});
    const auto of = [&](ResampleScheme s) { return counts(resample(s, w, n, streams, 1), n); };
    const auto systematic = of(ResampleScheme::systematic), stratified = of(ResampleScheme::stratified);
    const auto residual = of(ResampleScheme::residual), both = of(ResampleScheme::residual_stratified);
    for (std::size_t i = 0; i < n; ++i) {
      const double expected = static_cast<double>(n) * w[i];
      ASSERT_LT(std::abs(systematic[i] - expected), 1 + 1e-9);
      ASSERT_LT(std::abs(stratified[i] - expected), 2 + 1e-9);
      ASSERT_GE(residual[i], std::floor(expected - 1e-9));
      ASSERT_GE(both[i], std::floor(expected - 1e-9));
    }
  }
}

TEST(Resample, UnknownNameSuggests) {
  try {
    resample_scheme("systematc");
    FAIL();
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("systematic"), std::string::npos);
  }
}

}  // namespace
}  // namespace evident
