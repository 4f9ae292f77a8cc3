#include "imaging/pet/blood/series.hpp"

#include <cmath>

#include "imaging/pet/files.hpp"

namespace evident::imaging {
namespace {

TEST(Series, SortsAveragesAndDrops) {
  std::vector<std::string> warnings;
  const double nan = std::nan("");
  const BloodSeries s = ordered(Numbers{5, 1, 5, 3, 9}, Numbers{10, 1, 20, nan, 4}, "f: c", warnings);
  EXPECT_EQ(s.time, (Numbers{1, 5, 9}));
  EXPECT_EQ(s.value, (Numbers{1, 15, 4}));
  EXPECT_THAT(warnings, ElementsAre("f: c: samples are not in the order of time; sorted",
                                    "f: c: 1 time with more than one sample; averaged"));
}

TEST(Series, MergeKeepsTheFirst) {
  const BloodSeries s = merged({{1, 3, 5}, {10, 30, 50}}, {{0, 3, 6}, {1, 2, 3}});
  EXPECT_EQ(s.time, (Numbers{0, 1, 3, 5, 6}));
  EXPECT_EQ(s.value, (Numbers{1, 10, 30, 50, 3}));
  EXPECT_EQ(merged({}, {{1}, {2}}).value, (Numbers{2}));
}

TEST(Series, MonotoneNeverLeavesItsNeighbours) {
  const BloodSeries parent{{0, 145, 292, 602, 1248, 1785}, {1, 0.5749, 0.3149, 0.1469, 0.073, 0.078}};
  const MonotoneCurve curve(parent);
  for (std::size_t i = 0; i < parent.size(); ++i) EXPECT_NEAR(curve(parent.time[i]), parent.value[i], 1e-14);
  double before = 1;
  for (double t = 0; t <= 1248; t += 1) {
    EXPECT_LE(curve(t), before + 1e-12) << t;
    before = curve(t);
  }
  EXPECT_EQ(curve(-5), 1);
  EXPECT_EQ(curve(1e6), 0.078);
  EXPECT_EQ(MonotoneCurve({{3}, {0.5}})(100), 0.5);
  // A smooth decline is followed closely.
  BloodSeries smooth;
  for (double t = 0; t <= 3000; t += 300) {
    smooth.time.push_back(t);
    smooth.value.push_back(std::exp(-t / 1500));
  }
  const MonotoneCurve fit(smooth);
  for (double t = 300; t < 2700; t += 50) EXPECT_NEAR(fit(t), std::exp(-t / 1500), 2e-3);
}

TEST(Series, TailOfAnExponentialIsExact) {
  Numbers time, value;
  for (double t = 60; t <= 3000; t += 60) {
    time.push_back(t);
    value.push_back(7 * std::exp(-t / 2000) + 0);
  }
  const Tail tail = fit_tail(time, value);
  EXPECT_NEAR(tail.rate, 1 / 2000.0, 1e-12);
  EXPECT_NEAR(tail.value, value.back(), 1e-9);
  append_tail(time, value, 3900, tail);
  EXPECT_EQ(time.back(), 3900);
  const BloodSeries s{time, value};
  for (double t = 3000; t <= 3900; t += 10) EXPECT_NEAR(linear_at(s, t) / (7 * std::exp(-t / 2000)), 1, 2e-3);
}

TEST(Series, TailsThatDoNotDeclineStayFlat) {
  const Tail rising = fit_tail(Numbers{1, 2, 3, 4}, Numbers{1, 2, 3, 4});
  EXPECT_EQ(rising.rate, 0);
  EXPECT_GT(rising.value, 0);
  EXPECT_LT(fit_tail(Numbers{1, 2, 3}, Numbers{-1, 0, -2}).samples, 2u) << "nothing above 0";
}

}  // namespace
}  // namespace evident::imaging
