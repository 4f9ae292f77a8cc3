#include "base/number_text.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace evident {
namespace {

TEST(NumberText, OfProbabilities) {
  EXPECT_EQ(probability_cell(0.25), "0.2500");
  EXPECT_EQ(probability_cell(0), "0.0000");
  EXPECT_EQ(probability_cell(3e-9), "3.0e-09");
  EXPECT_EQ(probability_cell(NAN), "-");
  EXPECT_EQ(probability_cell(0.00125 + 1e-17), probability_cell(0.00125)) << "the last bits do not matter";
  EXPECT_EQ(probability_cell(0.31245), "0.3125");
}

TEST(NumberText, InSentences) {
  EXPECT_EQ(number(1.0 / 3), "0.333");
  EXPECT_EQ(percent(0.5), "50 %");
}

}  // namespace
}  // namespace evident
