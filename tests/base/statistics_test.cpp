#include "base/statistics.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace evident {
namespace {

TEST(Statistics, OfAFewNumbers) {
  const std::vector<double> x = {1, 2, 4, 9};
  EXPECT_DOUBLE_EQ(mean(x), 4);
  EXPECT_DOUBLE_EQ(variance(x), 38.0 / 3);
  EXPECT_DOUBLE_EQ(standard_deviation(x), std::sqrt(38.0 / 3));
  EXPECT_DOUBLE_EQ(sd_of_all(x), std::sqrt(38.0 / 4));
  EXPECT_DOUBLE_EQ(error_of_mean(x), std::sqrt(38.0 / 12));
  EXPECT_DOUBLE_EQ(median(x), 3);
  EXPECT_DOUBLE_EQ(median({9, 1, 4}), 4);
}

TEST(Statistics, QuantilesLieBetweenValuesOrAreOne) {
  const std::vector<double> sorted = {1, 2, 4, 9};
  EXPECT_DOUBLE_EQ(quantile_of_sorted(sorted, 0), 1);
  EXPECT_DOUBLE_EQ(quantile_of_sorted(sorted, 0.5), 3);
  EXPECT_DOUBLE_EQ(quantile_of_sorted(sorted, 0.9), 7.5);
  EXPECT_DOUBLE_EQ(quantile_of_sorted(sorted, 1), 9);
  EXPECT_TRUE(std::isnan(quantile_of_sorted({}, 0.5)));
  std::vector<double> x = {9, 1, 4, 2};
  EXPECT_EQ(value_above_share(x, 0.25), 2);
  EXPECT_EQ(value_above_share(x, 0.75), 9);
}

TEST(Statistics, OneNumberHasNoSpread) {
  EXPECT_TRUE(std::isnan(variance(std::array{3.0})));
  EXPECT_TRUE(std::isnan(error_of_mean(std::array{3.0})));
}

TEST(Statistics, WeightsNeedNotAddUpAndNothingCountsForNothing) {
  const std::vector<double> x = {NAN, 1, 3}, weights = {0, 6, 2};
  EXPECT_DOUBLE_EQ(weighted_mean(x, weights), 1.5);
  EXPECT_DOUBLE_EQ(weighted_standard_deviation(x, weights), std::sqrt(0.75));
  const std::vector<double> y = {3, 1, 2}, equal = {1, 1, 1};
  EXPECT_EQ(weighted_quantiles(y, equal, std::array{0.0, 0.5, 1.0}), (std::vector<double>{1, 2, 3}));
}

}  // namespace
}  // namespace evident
