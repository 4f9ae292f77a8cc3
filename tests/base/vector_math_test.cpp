#include "base/vector_math.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "base/triangular.hpp"
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
  for (std::uint32_t j = 0; j < rows; ++j) from.push_back(normals(n, 1, j)), noise.push_back(normals(n, 1, j + 20));
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

TEST_P(VectorMath, TriangularProductsOfEverySize) {
  for (std::uint32_t rows = 1; rows <= 13; ++rows)
    for (std::size_t n = 1; n <= 21; ++n) {
      const auto lower = normals(rows * rows, 1, 50), factor = normals(n, 1, 51);
      std::vector<AlignedVector<double>> from, noise, out(rows, AlignedVector<double>(n));
      std::vector<const double*> f, e;
      std::vector<double*> o;
      for (std::uint32_t j = 0; j < rows; ++j) from.push_back(normals(n, 1, j)), noise.push_back(normals(n, 1, j + 20));
      for (std::uint32_t j = 0; j < rows; ++j)
        f.push_back(from[j].data()), e.push_back(noise[j].data()), o.push_back(out[j].data());
      for (const double* by : {static_cast<const double*>(nullptr), factor.data()}) {
        vector_math::add_triangular(f.data(), lower.data(), e.data(), by, rows, n, o.data());
        for (std::size_t r = 0; r < rows; ++r)
          for (std::size_t i = 0; i < n; ++i) {
            double sum = 0;
            for (std::size_t c = 0; c <= r; ++c) sum += lower[r * rows + c] * noise[c][i];
            ASSERT_NEAR(out[r][i], from[r][i] + (by == nullptr ? 1 : by[i]) * sum, 1e-13) << rows << " " << n;
          }
      }
      vector_math::multiply_transposed(lower.data(), e.data(), rows, n, o.data());
      for (std::size_t c = 0; c < rows; ++c)
        for (std::size_t i = 0; i < n; ++i) {
          double sum = 0;
          for (std::size_t r = c; r < rows; ++r) sum += lower[r * rows + c] * noise[r][i];
          ASSERT_NEAR(out[c][i], sum, 1e-13) << rows << " " << n;
        }
      auto root = lower;
      for (std::size_t r = 0; r < rows; ++r) root[r * rows + r] = 1 + std::abs(root[r * rows + r]);
      const std::vector<AlignedVector<double>> zero(1, AlignedVector<double>(n));
      const std::vector<const double*> nothing(rows, zero[0].data());
      vector_math::add_triangular(nothing.data(), root.data(), e.data(), nullptr, rows, n, o.data());
      vector_math::solve_triangular(root.data(), rows, n, o.data());
      for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t i = 0; i < n; ++i) ASSERT_NEAR(out[r][i], noise[r][i], 1e-11) << rows << " " << n;
    }
}

TEST_P(VectorMath, DropsNan) {
  for (std::size_t n : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 63, 64, 65, 77}) {
    std::vector<double> x(n, 1.5);
    std::size_t nan = 0, impossible = 0;
    std::uint64_t which = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (i % 5 == 1 && i < 64) which |= std::uint64_t{1} << i;
      if (i % 5 == 1) x[i] = kNaN, ++nan, ++impossible;
      if (i % 5 == 3) x[i] = -kInf, ++impossible;
      if (i % 5 == 4) x[i] = kInf;
    }
    std::vector<double> wanted = x;
    for (double& v : wanted)
      if (std::isnan(v)) v = -kInf;
    const vector_math::Dropped dropped = vector_math::drop_nan(x.data(), n);
    EXPECT_EQ(x, wanted);
    EXPECT_EQ(dropped.nan, nan);
    EXPECT_EQ(dropped.impossible, impossible);
    EXPECT_EQ(dropped.which, which);
  }
}

TEST_P(VectorMath, TemperedRatios) {
  const std::size_t n = 13;
  auto prior = normals(n, 1, 1), likelihood = normals(n, 30, 2), old_prior = normals(n, 1, 3);
  const auto old_likelihood = normals(n, 30, 4);
  prior[2] = -kInf, likelihood[3] = -kInf, likelihood[4] = kInf, old_prior[5] = -kInf, prior[5] = -kInf;
  AlignedVector<double> out(n);
  for (const double alpha : {0.0, 0.3, 1.0}) {
    vector_math::tempered_ratio({prior.data(), likelihood.data()}, {old_prior.data(), old_likelihood.data()}, alpha,
                                out.data(), n);
    for (std::size_t i = 0; i < n; ++i) {
      const double wanted = prior[i] - old_prior[i] + alpha * (likelihood[i] - old_likelihood[i]);
      if (std::isnan(wanted))
        EXPECT_TRUE(std::isnan(out[i])) << i;
      else
        EXPECT_EQ(out[i], wanted) << i;
    }
  }
}

// As the ratios and the decision one after the other.
TEST_P(VectorMath, AcceptsTemperedRatios) {
  for (std::size_t n = 1; n <= 21; ++n) {
    BlockStorage u(1, n);
    Streams({.seed = 7}).fill_uniform({.purpose = Purpose::accept}, u);
    auto prior = normals(n, 1, 1), likelihood = normals(n, 1, 2);
    const auto old_prior = normals(n, 1, 3), old_likelihood = normals(n, 1, 4);
    if (n > 4) prior[2] = -kInf, likelihood[3] = kNaN, likelihood[4] = kInf;
    AlignedVector<double> ratio(n), mask(n), wanted(n);
    const vector_math::Densities proposed{prior.data(), likelihood.data()};
    const vector_math::Densities now{old_prior.data(), old_likelihood.data()};
    vector_math::tempered_ratio(proposed, now, 0.7, ratio.data(), n);
    const std::size_t count = vector_math::accept(u.row(0).data(), ratio.data(), wanted.data(), n);
    EXPECT_EQ(vector_math::accept_tempered(proposed, now, 0.7, u.row(0).data(), mask.data(), n), count) << n;
    for (std::size_t i = 0; i < n; ++i)
      EXPECT_EQ(std::bit_cast<std::uint64_t>(mask[i]), std::bit_cast<std::uint64_t>(wanted[i])) << n << " " << i;
  }
}

TEST_P(VectorMath, MaskedSquares) {
  const std::size_t n = 13;
  AlignedVector<double> mask(padded(n));  // nothing is set past n
  for (std::size_t i = 0; i < n; i += 3) mask[i] = std::bit_cast<double>(~std::uint64_t{0});
  std::vector<AlignedVector<double>> x;
  std::vector<const double*> pointers;
  double wanted = 0;
  for (std::uint32_t rows = 1; rows <= 9; ++rows) {
    x.push_back(normals(n, 1, rows));
    x.back()[1] = kNaN;  // not among those that count
    pointers.push_back(x.back().data());
    for (std::size_t i = 0; i < n; i += 3) wanted += x.back()[i] * x.back()[i];
    EXPECT_NEAR(vector_math::masked_squares(mask.data(), pointers.data(), rows, n), wanted, 1e-13 * wanted) << rows;
  }
}

TEST_P(VectorMath, SumsAndSquares) {
  for (std::size_t n = 0; n <= 21; ++n) {
    const auto x = normals(n + 1, 1, 8);
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < n; ++i) sum += x[i + 1], squares += x[i + 1] * x[i + 1];
    const auto found = vector_math::sum_and_squares(x.data() + 1, n);
    EXPECT_NEAR(found.sum, sum, 1e-13) << n;
    EXPECT_NEAR(found.squares, squares, 1e-13) << n;
  }
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
  const double* rows[] = {from.data(), from.data()};
  EXPECT_EQ(vector_math::masked_squares(mask.data(), rows, 2, n), 2 * 49.0 * static_cast<double>(expected));
  AlignedVector<double> first(n, 1.0), second(n, 2.0);
  double* goals[] = {first.data(), second.data()};
  vector_math::blend_rows(mask.data(), rows, goals, 2, n);
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_EQ(first[i], to[i]);
    EXPECT_EQ(second[i], to[i] == 7.0 ? 7.0 : 2.0);
  }
}

}  // namespace
}  // namespace evident
