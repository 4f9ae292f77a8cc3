#include "base/optimal_bridge.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "evident/base/log_math.hpp"
#include "evident/base/random.hpp"

namespace evident {
namespace {

const Streams kStreams({.seed = 77});

std::vector<double> normal_draws(std::uint32_t step, std::size_t n) {
  BlockStorage out(1, n);
  kStreams.fill_normal({.step = step, .purpose = Purpose::other}, out);
  return {out.row(0).begin(), out.row(0).end()};
}

// Two normals a distance apart: log p - log q at x, with log Z added to p.
std::vector<double> ratios(std::vector<double> x, double centre, double distance, double log_z) {
  for (double& v : x) {
    v += centre;
    v = log_z + 0.5 * (v * v - (v - distance) * (v - distance));
  }
  return x;
}

TEST(OptimalBridge, SolvesTheFixedPointOfMengAndWong) {
  const std::vector<double> p = ratios(normal_draws(1, 300), 1, 1, 5), q = ratios(normal_draws(2, 500), 0, 1, 5);
  const std::vector<double> w(300, 1.0 / 300);
  const OptimalBridge b = optimal_bridge(p, w, q);
  const double r = std::exp(b.log_ratio), s1 = b.effective / (b.effective + 500), s2 = 1 - s1;
  double above = 0, below = 0;
  for (const double l : q) above += std::exp(l) / (s1 * std::exp(l) + s2 * r) / 500;
  for (const double l : p) below += 1 / (s1 * std::exp(l) + s2 * r) / 300;
  EXPECT_NEAR(above / below / r, 1, 1e-8);
}

TEST(OptimalBridge, ErrorIsTheSpreadForIndependentDraws) {
  double sum = 0, squares = 0, variance = 0;
  const std::uint32_t seeds = 200;
  for (std::uint32_t s = 0; s < seeds; ++s) {
    const std::vector<double> p = ratios(normal_draws(10 + 2 * s, 200), 1.5, 1.5, -700);
    const std::vector<double> q = ratios(normal_draws(11 + 2 * s, 200), 0, 1.5, -700);
    const OptimalBridge b = optimal_bridge(p, std::vector<double>(200, 0.005), q);
    sum += b.log_ratio + 700;
    squares += (b.log_ratio + 700) * (b.log_ratio + 700);
    variance += (b.variance_of_p + b.variance_of_q) / seeds;
  }
  const double mean = sum / seeds, sd = std::sqrt((squares - seeds * mean * mean) / (seeds - 1));
  EXPECT_NEAR(mean, 0, 4 * sd / std::sqrt(static_cast<double>(seeds)));
  EXPECT_NEAR(std::sqrt(variance) / sd, 1, 4 / std::sqrt(2.0 * seeds));
}

TEST(OptimalBridge, WorksFarApartAndWithZeroDensities) {
  std::vector<double> q(50, -kInf);
  q[3] = -1e4;
  const OptimalBridge b = optimal_bridge(std::vector<double>(50, 1e4), std::vector<double>(50, 0.02), q);
  EXPECT_TRUE(std::isfinite(b.log_ratio));
}

TEST(VarianceOfMean, SeesCorrelationAndCopies) {
  const std::size_t n = 20000;
  std::vector<double> x = normal_draws(3, n), w(n, 1.0 / static_cast<double>(n)), f = x;
  const double independent = variance_of_mean(x, w, x);
  EXPECT_NEAR(independent * static_cast<double>(n), 1, 0.1);
  for (std::size_t i = 1; i < n; ++i) f[i] = 0.8 * f[i - 1] + 0.6 * x[i];
  EXPECT_NEAR(variance_of_mean(f, w, f) * static_cast<double>(n), 1.8 / 0.2, 0.2 * 9);
  // Copies far from each other: the second half repeats the first.
  for (std::size_t i = 0; i < n / 2; ++i) x[i + n / 2] = x[i];
  EXPECT_NEAR(variance_of_mean(x, w, x) * static_cast<double>(n), 2, 0.2);
}

}  // namespace
}  // namespace evident
