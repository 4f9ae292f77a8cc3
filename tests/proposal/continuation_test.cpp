// Likelihoods continued from known points: exact where the logarithm is a parabola, and never above what was seen near.
#include "proposal/continuation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "evident/base/random.hpp"

namespace evident {
namespace {

/// Normal draws, some of them left out.
template <class Keep>
BlockStorage draws(std::size_t d, std::size_t n, Keep keep) {
  BlockStorage all(d, n);
  Streams({.seed = 3}).fill_normal({.purpose = Purpose::other}, all);
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < n; ++i)
    if (keep(all(0, i))) kept.push_back(i);
  BlockStorage out(d, kept.size());
  for (std::size_t k = 0; k < kept.size(); ++k)
    for (std::size_t j = 0; j < d; ++j) out(j, k) = all(j, kept[k]);
  return out;
}

double parabola(ConstBlock z, std::size_t i) {
  double sum = 3 + 0.5 * z(0, i) - z(0, i) * z(z.rows() - 1, i);
  for (std::size_t j = 0; j < z.rows(); ++j) sum -= 0.5 * (1 + static_cast<double>(j)) * z(j, i) * z(j, i);
  return sum;
}

TEST(Continuation, FollowsAParabolaFromAnyPartOfIt) {
  for (const std::size_t d : {1, 3}) {
    const BlockStorage known = draws(d, 1000, [](double x) { return x < -0.3; });
    std::vector<double> l, weights;
    for (std::size_t i = 0; i < known.size(); ++i)
      l.push_back(parabola(known, i)), weights.push_back(i % 3 == 0 ? 1 : 2);
    const Continuation c(known, weights, l);
    const BlockStorage beyond = draws(d, 200, [](double x) { return x > 0.5; });
    for (std::size_t i = 0; i < beyond.size(); ++i) {
      EXPECT_NEAR(c.parabola_at(beyond, i), parabola(beyond, i), 1e-5 * (1 + std::abs(parabola(beyond, i))));
      EXPECT_LE(c.most_at(beyond, i), c.parabola_at(beyond, i));
    }
  }
}

// A likelihood that rises towards the edge is not continued above what was seen there.
TEST(Continuation, IsNeverAboveItsNeighbours) {
  const BlockStorage known = draws(1, 1000, [](double x) { return x < 0; });
  std::vector<double> l, weights(known.size(), 1.0);
  double most = -kInf;
  for (std::size_t i = 0; i < known.size(); ++i) l.push_back(5 * known(0, i)), most = std::max(most, l.back());
  const Continuation c(known, weights, l);
  BlockStorage at(1, 3);
  at(0, 0) = 0.5, at(0, 1) = -1, at(0, 2) = 100;
  EXPECT_NEAR(c.parabola_at(at, 0), 2.5, 1e-5);
  EXPECT_EQ(c.most_at(at, 0), most);
  EXPECT_NEAR(c.most_at(at, 1), -5, 0.1);
  EXPECT_EQ(c.most_at(at, 2), -kInf);  // far from everything
}

// Noise around a parabola: two standard deviations are added to it.
TEST(Continuation, AllowsForWhatIsNotExplained) {
  BlockStorage known = draws(2, 2000, [](double) { return true; });
  BlockStorage noise(1, known.size());
  Streams({.seed = 8}).fill_normal({.purpose = Purpose::other}, noise);
  std::vector<double> l, weights(known.size(), 1.0);
  for (std::size_t i = 0; i < known.size(); ++i) l.push_back(parabola(known, i) + 0.3 * noise(0, i));
  const Continuation c(known, weights, l);
  BlockStorage at(2, 1);
  at(0, 0) = 0.1, at(1, 0) = -0.2;
  EXPECT_NEAR(c.parabola_at(at, 0), parabola(at, 0) + 0.6, 4 * 0.3 * std::sqrt(2.0 / 2000) + 0.03);
}

// Too few points carry no parabola; then the neighbours alone count.
TEST(Continuation, FewPointsHaveNeighboursOnly) {
  const BlockStorage known = draws(4, 30, [](double) { return true; });
  std::vector<double> l(known.size(), -2.0), weights(known.size(), 1.0);
  const Continuation c(known, weights, l);
  BlockStorage at(4, 1);
  for (std::size_t j = 0; j < 4; ++j) at(j, 0) = 0.3;
  EXPECT_EQ(c.parabola_at(at, 0), kInf);
  EXPECT_EQ(c.most_at(at, 0), -2.0);
}

}  // namespace
}  // namespace evident
