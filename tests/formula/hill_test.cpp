// Hill's formula, which has powers that no number can hold, and none of them in its value.
#include <gtest/gtest.h>

#include <cmath>

#include "evident/base/log_math.hpp"
#include "formula/small_model.hpp"

namespace evident::formula {
namespace {

const std::vector<double> kDoses = {0, 0.5, 1, 3, 10, 1000}, kAnswers = {0.1, 0.6, 1.4, 2.2, 3, 3.2};
const auto kDosed = numbers({{"D", kDoses}, {"y", kAnswers}});

Parts hill(const std::string& mean) {
  return {.parameters = {{"top", "half-normal(5)"}, {"E", "lognormal(0, 1)"}, {"n", "half-cauchy(1)"}},
          .let = {{"mean", mean}},
          .likelihood = {{"y", "normal(mean, 0.5)"}}};
}

double by_hand(double top, double middle, double slope) {
  double sum = 0;
  for (std::size_t r = 0; r < kDoses.size(); ++r) {
    // 1 / (1 + (E / D)^n), which neither runs over nor under.
    const double mean = kDoses[r] > 0 ? top / (1 + std::pow(middle / kDoses[r], slope)) : 0;
    const double z = (kAnswers[r] - mean) / 0.5;
    sum += -0.5 * z * z - std::log(0.5) - 0.5 * kLog2Pi;
  }
  return sum;
}

// Where D^n is beyond all numbers, or E^n below them, as anywhere.
TEST(Hill, IsRightWhereItsPowersAreNoNumbers) {
  for (const char* mean : {"top * D^n / (D^n + E^n)", "top * (D^n / (E^n + D^n))", "D^n * top / (E^n + D^n)",
                           "top - top * E^n / (D^n + E^n)", "top * (D / E)^n / (1 + (D / E)^n)"}) {
    const auto model = make(kDosed, hill(mean));
    for (const double middle : {0.2, 1.0, 3.0, 40.0})
      for (const double slope : {0.01, 0.9, 3.0, 200.0, 5000.0, 1e7}) {
        const double expected = by_hand(3, middle, slope);
        EXPECT_NEAR(log_likelihood(*model, {3, middle, slope}), expected, 1e-9 * std::abs(expected))
            << mean << ' ' << middle << ' ' << slope;
      }
    const std::vector<double> place = {2.5, 1.3, 1.7}, slopes = gradient(*model, place),
                              wanted = differences(*model, place);
    for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(slopes[j], wanted[j], 1e-6 * std::abs(wanted[j]) + 1e-7) << mean;
  }
}

// No other formula is read as Hill's: where a base may be negative, or a power of 0 infinite.
TEST(Hill, IsNotSeenWhereItIsNot) {
  Parts parts = hill("top * (D - 1)^n / ((D - 1)^n + E^n)");
  EXPECT_TRUE(std::isnan(log_likelihood(*make(kDosed, parts), {3, 1, 2.5})));
  parts = hill("top * D^m / (D^m + E^m)");
  parts.parameters[2] = {"m", "normal(0, 1)"};
  EXPECT_TRUE(std::isnan(log_likelihood(*make(kDosed, parts), {3, 1, -2.5})));  // 0^-2.5 is infinite
  parts.let[0].second = "top * D^m / (D^m + E)";
  double expected = 0;
  for (std::size_t r = 0; r < kDoses.size(); ++r) {
    const double power = std::pow(kDoses[r], 1.5), z = (kAnswers[r] - 3 * power / (power + 2)) / 0.5;
    expected += -0.5 * z * z - std::log(0.5) - 0.5 * kLog2Pi;
  }
  EXPECT_NEAR(log_likelihood(*make(kDosed, parts), {3, 2, 1.5}), expected, 1e-10 * std::abs(expected));
}

}  // namespace
}  // namespace evident::formula
