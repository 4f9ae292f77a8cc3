#include "evident/base/estimate.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace evident {
namespace {

TEST(Estimate, IsUnknownUntilItHasAnError) {
  EXPECT_FALSE(Estimate{}.known());
  EXPECT_FALSE((Estimate{.value = -10}.known()));
  EXPECT_FALSE((Estimate{-kInf, 0.1}.known()));
  EXPECT_TRUE((Estimate{-10, 0}.known()));
  EXPECT_TRUE(std::isnan(Estimate{.value = -10}.interval().lower));
  EXPECT_FALSE(Interval{}.holds(0));
}

TEST(Estimate, IntervalIsThatOfStudentsT) {
  const Interval normal = Estimate{-10, 0.5}.interval();
  EXPECT_NEAR(normal.lower, -10 - 1.959964 * 0.5, 1e-6);
  EXPECT_NEAR(normal.upper, -10 + 1.959964 * 0.5, 1e-6);
  // The 97.5 % point of Student's t with 7 degrees of freedom is 2.3646.
  const Interval seven = Estimate{-10, 0.5, 7}.interval();
  EXPECT_NEAR(seven.upper, -10 + 2.3646 * 0.5, 1e-4);
  EXPECT_TRUE(seven.holds(-8.82));
  EXPECT_FALSE(seven.holds(-8.81));
  EXPECT_TRUE((Estimate{3, 0}.interval().holds(3)));
}

TEST(Estimate, TwoAreWeightedByTheirVariances) {
  const Estimate both = combine({-10, 0.1, 7}, {-11, 0.2, kInf});
  EXPECT_NEAR(both.value, -10.2, 1e-12);
  EXPECT_NEAR(both.standard_error, 1 / std::sqrt(100 + 25), 1e-12);
  EXPECT_NEAR(both.degrees, 7 / (0.8 * 0.8), 1e-9) << "by Satterthwaite";
  EXPECT_EQ(combine({-10, 0.1, 7}, {-11, 0, 3}).value, -11) << "one without error is the answer";
  EXPECT_EQ(combine({-10, 0, 7}, {-11, 0.1, 3}).value, -10);
}

TEST(Estimate, ASkewedErrorReachesFurtherToOneSide) {
  const Estimate skewed{.value = 1, .standard_error = 0.2, .error_below = 0.1, .error_above = 0.4};
  EXPECT_NEAR(skewed.interval().lower, 1 - 1.959964 * 0.1, 1e-6);
  EXPECT_NEAR(skewed.interval().upper, 1 + 1.959964 * 0.4, 1e-6);
  // The weights are those of the standard errors; each side is combined for itself.
  const Estimate both = combine(skewed, {2, 0.1});
  EXPECT_NEAR(both.value, 1.8, 1e-12);
  EXPECT_NEAR(both.below(), std::hypot(0.2 * 0.1, 0.8 * 0.1), 1e-12);
  EXPECT_NEAR(both.above(), std::hypot(0.2 * 0.4, 0.8 * 0.1), 1e-12);
  EXPECT_TRUE(std::isnan(combine({1, 0.2}, {2, 0.1}).error_above)) << "neither is skewed";
}

}  // namespace
}  // namespace evident
