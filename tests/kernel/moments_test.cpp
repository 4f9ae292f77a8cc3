#include "kernel/moments.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "evident/model/model.hpp"
#include "kernel/add_root.hpp"
#include "particles/weights.hpp"

namespace evident {
namespace {

/// n particles with d standard normal coordinates: each has `shared` of its variance in common with all others, and
/// the last one is the first but for a little.
RowMoments moments(std::size_t d, std::size_t n, double shared, bool pair = false) {
  ParameterSpace space;
  for (std::size_t j = 0; j < d; ++j) space.add(std::string("x").append(std::to_string(j)), normal(0, 1));
  const auto model = lift(space, [](std::span<const double>) { return 0.0; });
  Population x(*model, n);
  model->draw_prior(Streams({.seed = 3}), 0, x.z);
  BlockStorage common(d, n);
  model->draw_prior(Streams({.seed = 4}), 0, common);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < d; ++j)
      x.z(j, i) = std::sqrt(1 - shared) * x.z(j, i) + std::sqrt(shared) * common(0, i);
    if (pair) x.z(d - 1, i) = x.z(0, i) + 0.1 * x.z(d - 1, i);
  }
  std::vector<std::size_t> rows(d);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  const MomentsWanted wanted{rows, {0, n}};
  return row_moments(x, {&wanted, 1}).front();
}

double correlation(const std::vector<double>& root, std::size_t d, std::size_t a, std::size_t b) {
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t k = 0; k < d; ++k) {
    ab += root[a * d + k] * root[b * d + k];
    aa += root[a * d + k] * root[a * d + k];
    bb += root[b * d + k] * root[b * d + k];
  }
  return ab / std::sqrt(aa * bb);
}

TEST(Moments, CorrelationsThatAreNoiseAreLeftOut) {
  for (const std::size_t n : {60, 200, 900}) {  // fewer particles than coordinates, and more
    const RowMoments m = moments(100, n, 0);
    EXPECT_NEAR(m.effective, static_cast<double>(n), 1e-6 * static_cast<double>(n));
    EXPECT_EQ(noise_of_correlations(m), 1) << n;
    const std::vector<double> root = covariance_root(m);
    EXPECT_TRUE(is_diagonal(root, 100)) << n;
    EXPECT_NEAR(root[5 * 100 + 5], 1, 5 / std::sqrt(2.0 * static_cast<double>(n)));
  }
}

TEST(Moments, CorrelationsThatAreThereStay) {
  // All of them 0.5: the share of noise is about (1 - 0.25)^2 / 200 / 0.25.
  const RowMoments all = moments(100, 200, 0.5);
  EXPECT_GT(noise_of_correlations(all), 0.003);
  EXPECT_LT(noise_of_correlations(all), 0.05);
  EXPECT_NEAR(correlation(covariance_root(all), 100, 70, 3), 0.5, 4 * 0.75 / std::sqrt(200.0));
  // One of 4950, of 0.995.
  const std::vector<double> root = covariance_root(moments(100, 400, 0, true));
  EXPECT_GT(correlation(root, 100, 99, 0), 0.98);
  EXPECT_EQ(correlation(root, 100, 50, 0), 0);
}

TEST(Moments, WithTenParticlesACoordinateNothingIsShrunk) {
  const RowMoments m = moments(20, 200, 0);
  EXPECT_EQ(noise_of_correlations(m), 0);
  EXPECT_NEAR(correlation(covariance_root(m), 20, 7, 2),
              m.second[7 * 20 + 2] / std::sqrt(m.second[7 * 20 + 7] * m.second[2 * 20 + 2]), 1e-15);  // rounding
}

// A diagonal root takes a short cut.
TEST(Moments, TheShortCutOfDiagonalRootsGivesTheSame) {
  constexpr std::size_t d = 20, n = 5;
  std::vector<double> root(d * d, 0.0), nearly;
  for (std::size_t j = 0; j < d; ++j) root[j * d + j] = 0.5 + 0.1 * static_cast<double>(j);
  nearly = root;
  nearly[3 * d + 1] = 1e-300;
  EXPECT_TRUE(is_diagonal(root, d));
  EXPECT_FALSE(is_diagonal(nearly, d));
  BlockStorage a(d, n), b(d, n);
  for (std::size_t j = 0; j < d; ++j)
    for (std::size_t i = 0; i < n; ++i) a(j, i) = b(j, i) = std::sin(static_cast<double>(7 * j + i));
  solve_root(root, d, n, a);
  solve_root(nearly, d, n, b);
  for (std::size_t j = 0; j < d; ++j)
    for (std::size_t i = 0; i < n; ++i) EXPECT_DOUBLE_EQ(a(j, i), b(j, i));
}

}  // namespace
}  // namespace evident
