#include "particles/reweight.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "evident/base/block.hpp"
#include "evident/base/log_math.hpp"
#include "support/every_target.hpp"

namespace evident {
namespace {

// Each function against the plain loop it stands for, on every SIMD target and every tail length.
class Reweighting : public test::EveryTarget {};
INSTANTIATE_TEST_SUITE_P(Simd, Reweighting, test::targets());

TEST_P(Reweighting, ExpSums) {
  for (std::size_t n = 1; n <= 35; ++n) {
    const auto w = weights(n);
    auto l = normals(n, 30);
    if (n > 4) l[2] = -kInf, l[3] = kNaN, l[4] = -1e290;
    double top = -kInf;
    for (double v : l) top = v > top ? v : top;
    const double delta = 0.05;
    const auto got = reweighting::exp_sums(w.data(), l.data(), top, delta, n);
    const auto squared = reweighting::squared_exp_sums(w.data(), l.data(), top, delta, n);
    double s1 = 0, s2 = 0, t1 = 0, t2 = 0, q = 0, tq = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (!(l[i] > -1e280)) continue;
      const double x = l[i] - top, e = std::exp(delta * x);
      s1 += w[i] * e, s2 += w[i] * e * e, q += w[i] * w[i] * e * e;
      t1 += w[i] * e * x, t2 += w[i] * e * e * x, tq += w[i] * w[i] * e * e * x;
    }
    ASSERT_NEAR(got.s1, s1, 1e-14);
    ASSERT_NEAR(got.s2, s2, 1e-14);
    ASSERT_NEAR(squared.s2, q, 1e-14);
    ASSERT_NEAR(got.t1, t1, 1e-12);
    ASSERT_NEAR(got.t2, t2, 1e-12);
    ASSERT_NEAR(squared.t2, tq, 1e-12);
  }
}

TEST_P(Reweighting, FinerMeans) {
  const std::size_t n = 33;
  const auto w = weights(n);
  const auto l = normals(n, 10);
  double top = -kInf;
  for (double v : l) top = std::max(top, v);
  double means[7];
  reweighting::finer_means(w.data(), l.data(), top, 0.4, n, means);
  for (int j = 1; j < 8; ++j) {
    double sum = 0, product = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double weight = w[i] * std::exp(0.4 * j / 8 * (l[i] - top));
      sum += weight;
      product += weight * l[i];
    }
    EXPECT_NEAR(means[j - 1], product / sum, 1e-11);
  }
}

TEST_P(Reweighting, WeightsAndMomentsAreThoseOfThePlainLoop) {
  for (std::size_t n = 1; n <= 17; ++n) {
    const auto w = weights(n);
    auto l = normals(n, 20);
    if (n > 4) l[3] = -kInf;
    const double delta = 0.3;
    std::vector<double> log_w(n), x(n), e(n), after(w.begin(), w.end());
    for (std::size_t i = 0; i < n; ++i) log_w[i] = std::log(w[i]);
    const double top = reweighting::largest(l.data(), n);
    const double best = reweighting::shift(log_w.data(), l.data(), top, delta, n, x.data());
    const double sum = reweighting::exp_and_sum(x.data(), best, n, e.data());
    const auto done = reweighting::finish(x.data(), e.data(), after.data(), sum, std::log(sum), n);
    double total = 0, squares = 0, ratios = 0;
    for (std::size_t i = 0; i < n; ++i) total += w[i] * std::exp(delta * (l[i] - top));
    for (std::size_t i = 0; i < n; ++i) {
      const double expected = w[i] * std::exp(delta * (l[i] - top)) / total;
      ASSERT_NEAR(after[i], expected, 1e-14);
      if (expected > 0) {
        ASSERT_NEAR(x[i], std::log(expected), 1e-12);
      }
      squares += expected * expected;
      ratios += expected * expected / w[i];
    }
    ASSERT_NEAR(done.squares, squares, 1e-13);
    ASSERT_NEAR(done.cess, 1 / ratios, 1e-12);
    double mean = 0, variance = 0;
    for (std::size_t i = 0; i < n; ++i)
      if (after[i] > 0) mean += after[i] * l[i];
    for (std::size_t i = 0; i < n; ++i)
      if (after[i] > 0) variance += after[i] * (l[i] - mean) * (l[i] - mean);
    const auto m = reweighting::moments(after.data(), l.data(), n);
    ASSERT_NEAR(m.mean, mean, 1e-11);
    ASSERT_NEAR(m.variance, variance, 1e-10);
  }
}

}  // namespace
}  // namespace evident
