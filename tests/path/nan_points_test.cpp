#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <thread>

#include "evident/base/log_math.hpp"
#include "evident/dist/distribution.hpp"
#include "evident/path/target.hpp"
#include "path/place.hpp"

namespace evident {
namespace {

using Kept = std::vector<std::vector<double>>;

BlockStorage columns(const std::vector<double>& x) {
  BlockStorage out(2, x.size());
  for (std::size_t i = 0; i < x.size(); ++i) out(0, i) = x[i], out(1, i) = -x[i];
  return out;
}

Kept kept_of(const std::vector<double>& x) {
  NanPoints points;
  points.note(columns(x), ~std::uint64_t{0});
  return points.kept();
}

// In whatever order points come, and in whatever parts: the same few are kept.
TEST(NanPoints, DoNotDependOnTheOrder) {
  std::vector<double> x;
  for (int i = 0; i < 60; ++i) x.push_back(0.1 * i);
  const Kept expected = kept_of(x);
  EXPECT_EQ(expected.size(), 4u);
  std::ranges::reverse(x);
  EXPECT_EQ(kept_of(x), expected);
  NanPoints joined;
  const std::span<const double> all = x;
  joined.note(kept_of({all.begin(), all.begin() + 13}));
  joined.note(kept_of({all.begin() + 13, all.end()}));
  joined.note(kept_of({all.begin() + 20, all.begin() + 40}));  // again
  EXPECT_EQ(joined.kept(), expected);
}

// They are a random sample: of many sets, every place is kept about as often.
TEST(NanPoints, AreSpread) {
  std::vector<int> counts(10);
  for (int set = 0; set < 1000; ++set) {
    std::vector<double> x;
    for (int i = 0; i < 10; ++i) x.push_back(set + 0.1 * i);
    for (const auto& point : kept_of(x)) ++counts[static_cast<std::size_t>(std::lround(10 * (point[0] - set)))];
  }
  const double sd = std::sqrt(1000 * 0.4 * 0.6);
  for (const int c : counts) EXPECT_NEAR(c, 400, 4 * sd);
}

TEST(NanPoints, AreThoseThatAreNan) {
  ParameterSpace space;
  space.add("a", normal(0, 1)).add("b", normal(0, 1));
  const auto model = lift(space, [](std::span<const double> t) { return t[0] > 4.75 ? kNaN : t[0] > 3 ? -kInf : 1.0; });
  std::vector<double> x;
  for (int i = 0; i < 50; ++i) x.push_back(0.1 * i);
  EvaluationCount count;
  AlignedVector<double> out(x.size());
  TemperedTarget(*model, 1, count).likelihood(columns(x), out);
  EXPECT_EQ(count.nan, 2u);
  std::set<double> seen;
  for (const auto& point : count.nan_points.kept()) {
    seen.insert(point[0]);
    EXPECT_EQ(point[1], -point[0]);
  }
  EXPECT_EQ(seen, (std::set{x[48], x[49]}));
}

TEST(Place, InWords) {
  ParameterSpace space;
  for (const char* name : {"a", "b", "c", "d", "e", "f"}) space.add(name, normal(0, 1));
  const std::vector<double> theta = {0.1234567, 2, 3, 4, 5, 6};
  EXPECT_EQ(place_text(space, theta), "a = 0.1234567, b = 2, c = 3, d = 4, e = 5, f = 6");
  EXPECT_EQ(short_place_text(space, theta), "a = 0.123, b = 2, c = 3, d = 4, e = 5 and 1 more");
  const auto model = lift(space, [](std::span<const double>) { return 0.0; });
  EXPECT_EQ(nan_text(*model, theta), "at a = 0.123, b = 2, c = 3, d = 4, e = 5 and 1 more");
}

}  // namespace
}  // namespace evident
