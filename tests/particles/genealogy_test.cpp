#include "particles/genealogy.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "particles/resample.hpp"

namespace evident {
namespace {

using Parents = std::vector<std::uint32_t>;

TEST(Genealogy, ByHand) {
  Genealogy g;
  g.start(4);
  const std::vector<double> first = {0.5, 0.25, 0.25, 0}, second = {0.1, 0.2, 0.3, 0.4}, last = {0.4, 0.3, 0.2, 0.1};
  g.resampled(ResampleScheme::multinomial, first, Parents{0, 0, 1, 2});
  EXPECT_EQ(std::vector(g.eves().begin(), g.eves().end()), (Parents{0, 0, 1, 2}));
  g.resampled(ResampleScheme::multinomial, second, Parents{1, 2, 3, 3});
  EXPECT_EQ(std::vector(g.eves().begin(), g.eves().end()), (Parents{0, 1, 2, 2}));
  const auto told = g.finish(last);
  ASSERT_EQ(told.size(), 3U);

  EXPECT_DOUBLE_EQ(told[0].eve.squares, 0.375);
  EXPECT_EQ(told[0].eves, 3U);  // the fourth particle has no weight
  EXPECT_EQ(told[0].back.size(), 1U);
  EXPECT_EQ(told[0].eve.log_pairs, 0);

  // Eve 0 has particles 0 and 1.
  EXPECT_DOUBLE_EQ(told[1].eve.squares, 0.3 * 0.3 + 0.3 * 0.3 + 0.4 * 0.4);
  ASSERT_EQ(told[1].back.size(), 2U);
  EXPECT_DOUBLE_EQ(told[1].back[0].squares, 0.01 + 0.04 + 0.09 + 0.16);
  EXPECT_DOUBLE_EQ(told[1].back[1].squares, told[1].eve.squares);
  // Multinomial resampling keeps (N - 1) / N of the pairs, whatever the weights.
  EXPECT_NEAR(told[1].eve.log_pairs, std::log(4.0 / 3), 1e-14);
  EXPECT_NEAR(told[1].eve.spread, (1 - 0.375) / 4, 1e-14);

  EXPECT_NEAR(told[2].eve.log_pairs, 2 * std::log(4.0 / 3), 1e-14);
  EXPECT_DOUBLE_EQ(told[2].eve.squares, 0.16 + 0.09 + 0.09);
  ASSERT_EQ(told[2].back.size(), 3U);
  EXPECT_DOUBLE_EQ(told[2].back[1].squares, 0.16 + 0.09 + 0.09);  // parents 1, 2 and 3 of the last generation
  EXPECT_NEAR(told[2].back[1].log_pairs, std::log(4.0 / 3), 1e-14);
  EXPECT_EQ(told[2].eves, 3U);
}

TEST(Genealogy, OnlyWhenStarted) {
  Genealogy g;
  g.resampled(ResampleScheme::stratified, std::vector<double>{0.5, 0.5}, Parents{0, 1});
  EXPECT_TRUE(g.finish(std::vector<double>{0.5, 0.5}).empty());
}

TEST(Genealogy, LinesAreFollowedSoFarBack) {
  Genealogy g;
  g.start(8);
  const std::vector<double> equal(8, 0.125);
  for (std::size_t r = 0; r < kLags + 5; ++r) {
    const auto parents =
        resample(ResampleScheme::multinomial, equal, 8, Streams({.seed = 3}), static_cast<std::uint32_t>(r));
    g.resampled(ResampleScheme::multinomial, equal, parents);
  }
  const auto told = g.finish(equal);
  ASSERT_EQ(told.size(), kLags + 6);
  EXPECT_EQ(told.back().back.size(), kLags + 1);
  for (std::size_t d = 1; d <= kLags; ++d)  // families only merge further back
    EXPECT_GE(told.back().back[d].squares, told.back().back[d - 1].squares);
  EXPECT_GE(told.back().eve.squares, told.back().back[kLags].squares);
}

// Families of one, two and three neighbours, with uneven weights.
class ChildrenOf : public testing::TestWithParam<ResampleScheme> {};
INSTANTIATE_TEST_SUITE_P(Schemes, ChildrenOf,
                         testing::Values(ResampleScheme::multinomial, ResampleScheme::residual,
                                         ResampleScheme::stratified, ResampleScheme::systematic,
                                         ResampleScheme::residual_stratified));

TEST_P(ChildrenOf, SpreadOfChildrenIsTheirVariance) {
  const Parents family = {0, 0, 2, 3, 3, 3, 6, 7, 7, 9};
  const std::vector<double> weights = {0.03, 0.17, 0.11, 0.02, 0.09, 0.21, 0.04, 0.13, 0.07, 0.13};
  const std::size_t n = weights.size(), repeats = 20000;
  std::vector<double> sum(n), squares(n);
  const Streams streams({.seed = 5});
  for (std::uint32_t r = 0; r < repeats; ++r) {
    std::vector<double> children(n);
    for (const std::uint32_t p : resample(GetParam(), weights, n, streams, r)) children[family[p]] += 1;
    for (std::size_t k = 0; k < n; ++k) sum[k] += children[k], squares[k] += children[k] * children[k];
  }
  double spread = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const double mean = sum[k] / static_cast<double>(repeats);
    spread += squares[k] / static_cast<double>(repeats) - mean * mean;
  }
  // A sample variance of 20000 is known to about 1 %.
  EXPECT_NEAR(spread_of_children(GetParam(), weights, family), spread, 0.03 * spread + 1e-9);
}

TEST_P(ChildrenOf, CopiesOfAParentAreNeighbours) {
  std::vector<double> weights(100);
  for (std::size_t i = 0; i < 100; ++i) weights[i] = static_cast<double>((37 * i) % 100 + 1) / 5050;
  const auto parents = resample(GetParam(), weights, 100, Streams({.seed = 9}), 1);
  EXPECT_TRUE(std::is_sorted(parents.begin(), parents.end()));
}

TEST(SpreadOfChildren, EqualWeightsAndStrata) {
  const std::vector<double> equal(4, 0.25);
  const Parents own = {0, 1, 2, 3};
  EXPECT_NEAR(spread_of_children(ResampleScheme::stratified, equal, own), 0, 1e-12);
  EXPECT_NEAR(spread_of_children(ResampleScheme::systematic, equal, own), 0, 1e-12);
  EXPECT_NEAR(spread_of_children(ResampleScheme::residual, equal, own), 0, 1e-12);
  EXPECT_NEAR(spread_of_children(ResampleScheme::multinomial, equal, own), 3, 1e-12);
  // One family fills the first stratum and half of the second: the second draw is a toss of a coin for two families.
  EXPECT_NEAR(spread_of_children(ResampleScheme::stratified, std::vector<double>{0.75, 0.25}, Parents{0, 1}), 0.5,
              1e-12);
}

}  // namespace
}  // namespace evident
