#include "particles/two_groups.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "evident/base/log_math.hpp"
#include "evident/base/random.hpp"

namespace evident {
namespace {

TwoGroups groups_of(const std::vector<double>& l) {
  const std::vector<double> w(l.size(), 1.0 / static_cast<double>(l.size()));
  return two_groups(w, l, weighted_moments(w, l));
}

std::vector<double> draw(std::size_t n, std::uint64_t seed, const std::function<double(Stream&)>& f) {
  Stream s = Streams({.seed = seed}).at({});
  std::vector<double> x(n);
  for (double& v : x) v = f(s);
  return x;
}

// Energies of one phase: minus half a chi square, or anything else with one heap.
TEST(TwoGroups, OneHeapIsNotTwo) {
  const std::vector<std::function<double(Stream&)>> heaps = {[](Stream& s) { return s.normal(); },
                                                             [](Stream& s) { return s.uniform(); },
                                                             [](Stream& s) { return std::log(s.uniform()); },
                                                             [](Stream& s) { return -0.5 * std::pow(s.normal(), 2); },
                                                             [](Stream& s) { return -std::exp(2 * s.normal()); },
                                                             [](Stream& s) {
                                                               double sum = 0;
                                                               for (int k = 0; k < 5; ++k)
                                                                 sum -= 0.5 * std::pow(s.normal(), 2);
                                                               return sum;
                                                             }};
  for (const std::size_t n : {200U, 1000U})
    for (std::size_t h = 0; h < heaps.size(); ++h) {
      int alarms = 0;
      for (std::uint64_t seed = 0; seed < 200; ++seed) alarms += groups_of(draw(n, seed, heaps[h])).apart() ? 1 : 0;
      EXPECT_LE(alarms, 2) << "heap " << h << ", " << n << " particles";
    }
}

TEST(TwoGroups, TwoHeapsAreTwo) {
  for (const double share : {0.06, 0.2, 0.5, 0.9})
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const auto x = draw(1000, seed, [&](Stream& s) { return s.uniform() < share ? 8 + s.normal() : s.normal(); });
      const TwoGroups g = groups_of(x);
      EXPECT_TRUE(g.apart()) << share << ' ' << seed << ' ' << g.distance << ' ' << g.valley << ' ' << g.upper;
      EXPECT_NEAR(g.upper, share, 0.05);
    }
}

TEST(TwoGroups, WeightsCount) {
  // Two heaps of equal size; the upper one has nine tenths of the weight.
  std::vector<double> l, w;
  Stream s = Streams({.seed = 2}).at({});
  for (int i = 0; i < 1000; ++i) {
    l.push_back((i % 2 == 0 ? 10 : 0) + s.normal());
    w.push_back((i % 2 == 0 ? 0.9 : 0.1) / 500);
  }
  const TwoGroups g = two_groups(w, l, weighted_moments(w, l));
  EXPECT_TRUE(g.apart());
  EXPECT_NEAR(g.upper, 0.9, 0.01);
}

TEST(TwoGroups, NothingToTell) {
  EXPECT_FALSE(groups_of(std::vector<double>(100, -3.0)).apart());
  EXPECT_FALSE(groups_of({-kInf, -1, -2}).apart());
  // Impossible particles have no weight and are left out.
  std::vector<double> l = draw(200, 1, [](Stream&s) { return s.normal(); }), w(200, 1.0 / 199);
  l[5] = -kInf, w[5] = 0;
  EXPECT_FALSE(two_groups(w, l, weighted_moments(w, l)).apart());
}

}  // namespace
}  // namespace evident
