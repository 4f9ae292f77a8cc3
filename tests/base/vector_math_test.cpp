#include "base/vector_math.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "evident/base/block.hpp"
#include "evident/base/log_math.hpp"
#include "support/every_target.hpp"

namespace evident {
namespace {

// Each function against the plain loop it stands for, on every SIMD target and every tail length.
class VectorMath : public test::EveryTarget {};
INSTANTIATE_TEST_SUITE_P(Simd, VectorMath, test::targets());

TEST_P(VectorMath, ExpAndLog) {
  for (std::size_t n = 1; n <= 17; ++n) {
    AlignedVector<double> x = normals(n, 50), e(n), l(n);
    if (n > 3) x[1] = -kInf, x[2] = 800, x[3] = -1e6;
    vector_math::exp(x.data(), e.data(), n);
    vector_math::log(e.data(), l.data(), n);
    for (std::size_t i = 0; i < n; ++i) {
      if (x[i] > 709.7) {
        ASSERT_EQ(e[i], kInf);
      } else if (x[i] > -708) {
        ASSERT_NEAR(e[i] / std::exp(x[i]), 1.0, 4e-15) << x[i];
      } else {
        ASSERT_EQ(e[i], 0.0);
      }
      ASSERT_TRUE(l[i] == std::log(e[i]) || std::abs(l[i] - std::log(e[i])) < 4e-16 * std::abs(l[i]));
    }
  }
}

TEST_P(VectorMath, LogisticStaysInsideAndItsJacobianIsTheDerivative) {
  const double low = -2, high = 5;
  for (std::size_t n = 1; n <= 17; ++n) {
    AlignedVector<double> z = normals(n, 5), theta(n);
    std::vector<double> jacobian(n, 0.25);  // not padded, not aligned
    if (n > 2) z[0] = 700, z[1] = -700;
    vector_math::logistic(z.data(), {&low, &high, 0, 0}, theta.data(), jacobian.data(), n);
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_GE(theta[i], low);
      ASSERT_LE(theta[i], high);
      const double p = 1 / (1 + std::exp(-z[i]));
      ASSERT_NEAR(theta[i], low + 7 * p, 1e-14);
      const double expected = std::log(7.0) - std::abs(z[i]) - 2 * std::log1p(std::exp(-std::abs(z[i])));
      ASSERT_NEAR(jacobian[i] - 0.25, expected, 1e-13 * (1 + std::abs(expected)));
    }
  }
}

TEST_P(VectorMath, Moments) {
  for (std::size_t rows = 1; rows <= 9; ++rows) {
    const std::size_t n = 29;
    const auto w = weights(n);
    std::vector<AlignedVector<double>> x;
    std::vector<const double*> pointers;
    for (std::size_t j = 0; j < rows; ++j) x.push_back(normals(n, 2, static_cast<std::uint32_t>(j)));
    for (const auto& row : x) pointers.push_back(row.data());
    std::vector<double> mean(rows), second(rows * rows);
    vector_math::weighted_mean(w.data(), pointers.data(), rows, n, mean.data());
    vector_math::weighted_second(w.data(), pointers.data(), mean.data(), rows, n, second.data());
    for (std::size_t a = 0; a < rows; ++a) {
      double m = 0;
      for (std::size_t i = 0; i < n; ++i) m += w[i] * x[a][i];
      ASSERT_NEAR(mean[a], m, 1e-13);
      for (std::size_t b = 0; b <= a; ++b) {
        double sum = 0;
        for (std::size_t i = 0; i < n; ++i) sum += w[i] * (x[a][i] - mean[a]) * (x[b][i] - mean[b]);
        ASSERT_NEAR(second[a * rows + b], sum, 1e-13);
      }
    }
  }
}

TEST_P(VectorMath, TriangularProducts) {
  const std::size_t rows = 3, n = 11;
  const double lower[9] = {2, 0, 0, -1, 3, 0, 0.5, 0.25, 1};
  std::vector<AlignedVector<double>> from, noise, out(rows, AlignedVector<double>(n));
  for (std::uint32_t j = 0; j < rows; ++j) from.push_back(normals(n, 1, j)), noise.push_back(normals(n, 1, j + 10));
  const auto factor = normals(n, 1, 30);
  const double* f[] = {from[0].data(), from[1].data(), from[2].data()};
  const double* e[] = {noise[0].data(), noise[1].data(), noise[2].data()};
  double* o[] = {out[0].data(), out[1].data(), out[2].data()};
  vector_math::add_triangular(f, lower, e, factor.data(), rows, n, o);
  for (std::size_t i = 0; i < n; ++i)
    EXPECT_NEAR(out[1][i], from[1][i] + factor[i] * (-noise[0][i] + 3 * noise[1][i]), 1e-14);
  vector_math::multiply_transposed(lower, e, rows, n, o);
  for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(out[0][i], 2 * noise[0][i] - noise[1][i] + 0.5 * noise[2][i], 1e-14);
}

TEST_P(VectorMath, AcceptAndBlend) {
  const std::size_t n = 13;
  BlockStorage u(1, n);
  Streams({.seed = 6}).fill_uniform({.purpose = Purpose::accept}, u);
  AlignedVector<double> ratio = normals(n, 1), mask(n), from(n, 7.0), to(n, 1.0);
  ratio[0] = -kInf, ratio[1] = kNaN, ratio[2] = kInf, ratio[3] = 0.0;
  std::size_t expected = 0;
  for (std::size_t i = 0; i < n; ++i) expected += std::log(u(0, i)) < ratio[i] ? 1 : 0;
  EXPECT_EQ(vector_math::accept(u.row(0).data(), ratio.data(), mask.data(), n), expected);
  vector_math::blend(mask.data(), from.data(), to.data(), n);
  for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(to[i], std::log(u(0, i)) < ratio[i] ? 7.0 : 1.0);
  EXPECT_EQ(vector_math::masked_squares(mask.data(), from.data(), n), 49.0 * static_cast<double>(expected));
}

}  // namespace
}  // namespace evident
