#include "dist/multivariate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <limits>

#include "dist/goodness.hpp"
#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"

namespace evident {
namespace {

constexpr std::size_t kDraws = 20000;

const std::vector<double> kMean = {1, -2, 0.5};
const std::vector<double> kCovariance = {4, 1.2, -0.3, 1.2, 1, 0.2, -0.3, 0.2, 0.5};

BlockStorage draws(const VectorDistribution& d, std::uint64_t seed, std::size_t n = kDraws) {
  const Streams streams({.seed = seed});
  BlockStorage out(d.size(), n);
  std::vector<double> x(d.size());
  for (std::size_t i = 0; i < n; ++i) {
    Stream stream = streams.at({.particle = static_cast<std::uint32_t>(i)});
    d.draw(stream, x);
    for (std::size_t j = 0; j < d.size(); ++j) out(j, i) = x[j];
  }
  return out;
}

std::vector<double> column(ConstBlock x, std::size_t i) {
  std::vector<double> out;
  for (std::size_t j = 0; j < x.rows(); ++j) out.push_back(x(j, i));
  return out;
}

double mean_product(ConstBlock x, std::size_t a, std::size_t b, double centre_a, double centre_b) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += (x(a, i) - centre_a) * (x(b, i) - centre_b);
  return sum / static_cast<double>(x.size());
}

double row_mean(ConstBlock x, std::size_t j) {
  double sum = 0;
  for (const double v : x.row(j)) sum += v;
  return sum / static_cast<double>(x.size());
}

/// Batch density and gradient against the scalar density.
void expect_batch_agrees(const VectorDistribution& d, ConstBlock x, double step) {
  std::vector<double> out(x.size(), 0.5);
  d.add_log_density(x, out);
  BlockStorage gradient(d.size(), x.size());
  d.add_gradient(x, gradient);
  for (std::size_t i = 0; i < x.size(); ++i) {
    std::vector<double> point = column(x, i);
    EXPECT_NEAR(out[i] - 0.5, d.log_density(point), 1e-12 * (1 + std::abs(out[i])));
    if (step == 0) continue;
    for (std::size_t j = 0; j < d.size(); ++j) {
      const double middle = point[j];
      point[j] = middle + step;
      const double up = d.log_density(point);
      point[j] = middle - step;
      const double down = d.log_density(point);
      point[j] = middle;
      EXPECT_NEAR(gradient(j, i), (up - down) / (2 * step), 1e-6 * (1 + std::abs(gradient(j, i))));
    }
  }
}

TEST(MultivariateNormal, DensityAgreesWithTheInverse) {
  const MultivariateNormal d(kMean, kCovariance);
  // The inverse of the 3 x 3 covariance by cofactors, taken around the torus so that signs come out right.
  const auto entry = [](std::size_t i, std::size_t j) { return kCovariance[i % 3 * 3 + j % 3]; };
  const auto cofactor = [&entry](std::size_t i, std::size_t j) {
    return entry(i + 1, j + 1) * entry(i + 2, j + 2) - entry(i + 1, j + 2) * entry(i + 2, j + 1);
  };
  double determinant = 0;
  for (std::size_t j = 0; j < 3; ++j) determinant += entry(0, j) * cofactor(0, j);
  for (const std::vector<double>& x : {std::vector<double>{0, 0, 0}, {1, -2, 0.5}, {40, 3, -9}}) {
    double square = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j)
        square += (x[i] - kMean[i]) * cofactor(j, i) / determinant * (x[j] - kMean[j]);
    }
    const double exact = -0.5 * square - 0.5 * std::log(determinant) - 1.5 * kLog2Pi;
    EXPECT_NEAR(d.log_density(x), exact, 1e-12 * (1 + std::abs(exact)));
  }
  EXPECT_EQ(d.log_density(std::vector<double>{kNaN, 0, 0}), -kInf);
}

TEST(MultivariateNormal, BatchAndGradient) {
  const MultivariateNormal d(kMean, kCovariance);
  for (const std::size_t n : {1U, 7U, 8U, 13U, 64U}) expect_batch_agrees(d, draws(d, 4, n), 1e-4);
}

TEST(MultivariateNormal, MomentsAndMarginalsOfDraws) {
  const MultivariateNormal d(kMean, kCovariance);
  const BlockStorage x = draws(d, 11);
  const double n = kDraws;
  for (std::size_t a = 0; a < 3; ++a) {
    EXPECT_NEAR(row_mean(x, a), kMean[a], 4 * std::sqrt(kCovariance[a * 3 + a] / n));
    for (std::size_t b = 0; b <= a; ++b) {
      const double exact = kCovariance[a * 3 + b];
      const double error = std::sqrt((kCovariance[a * 3 + a] * kCovariance[b * 3 + b] + exact * exact) / n);
      EXPECT_NEAR(mean_product(x, a, b, kMean[a], kMean[b]), exact, 4 * error);
    }
    const boost::math::normal marginal(kMean[a], std::sqrt(kCovariance[a * 3 + a]));
    const auto row = x.row(a);
    EXPECT_GT(goodness::ks_p_value({row.begin(), row.end()}, [&](double v) { return boost::math::cdf(marginal, v); }),
              1e-4);
  }
}

TEST(MultivariateNormal, RefusesBadInput) {
  EXPECT_THROW(MultivariateNormal({}, {}), InputError);
  EXPECT_THROW(MultivariateNormal({0, 0}, {1, 0, 0}), InputError);
  EXPECT_THROW(MultivariateNormal({0, 0}, {1, 0.5, 0.4, 1}), InputError);
  EXPECT_THROW(MultivariateNormal({0, 0}, {1, 2, 2, 1}), InputError);
  EXPECT_THROW(MultivariateNormal({0, 0}, {1, 1, 1, 1}), InputError);
  EXPECT_THROW(MultivariateNormal({0, kInf}, {1, 0, 0, 1}), InputError);
  EXPECT_THROW(MultivariateNormal({0, 0}, {1, 0, 0, kNaN}), InputError);
}

TEST(Dirichlet, DensityAgreesWithTheFormula) {
  const Dirichlet d({2, 3, 0.5});
  const std::vector<double> x = {0.2, 0.5, 0.3};
  const double exact = std::lgamma(5.5) - std::lgamma(2) - std::lgamma(3) - std::lgamma(0.5) + std::log(0.2) +
                       2 * std::log(0.5) - 0.5 * std::log(0.3);
  EXPECT_NEAR(d.log_density(x), exact, 1e-14);
  // Two components are a beta.
  const boost::math::beta_distribution<> beta(2.5, 0.7);
  EXPECT_NEAR(Dirichlet({2.5, 0.7}).log_density(std::vector<double>{0.9, 0.1}), std::log(boost::math::pdf(beta, 0.9)),
              1e-14);
  // A flat Dirichlet has density (n - 1)! everywhere, corners included.
  EXPECT_NEAR(Dirichlet({1, 1, 1, 1}).log_density(std::vector<double>{0, 0, 1, 0}), std::log(6), 1e-14);
}

TEST(Dirichlet, IsMinusInfinityOffTheSimplex) {
  const Dirichlet d({2, 3});
  for (const std::vector<double>& x :
       {std::vector<double>{0.5, 0.4}, {1.5, -0.5}, {0, 1}, {kNaN, 1}, {kInf, 0.5}, {0.5, 0.5 + 1e-6}}) {
    EXPECT_EQ(d.log_density(x), -kInf);
    BlockStorage block(2, 1);
    block(0, 0) = x[0];
    block(1, 0) = x[1];
    std::vector<double> out(1, 0.0);
    d.add_log_density(block, out);
    EXPECT_EQ(out[0], -kInf);
  }
}

TEST(Dirichlet, BatchAndGradient) {
  const std::vector<double> a = {0.3, 1, 4, 2};
  const Dirichlet d(a);
  for (const std::size_t n : {1U, 7U, 8U, 13U, 64U}) {
    const BlockStorage x = draws(d, 5, n);
    expect_batch_agrees(d, x, 0);
    BlockStorage gradient(4, n);
    d.add_gradient(x, gradient);
    for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(gradient(j, n - 1) * x(j, n - 1), a[j] - 1, 1e-12);
  }
}

TEST(Dirichlet, MomentsAndMarginalsOfDraws) {
  for (const std::vector<double>& a : {std::vector<double>{1, 1, 1}, {0.1, 0.2, 0.05}, {20, 3, 0.7}}) {
    const Dirichlet d(a);
    const BlockStorage x = draws(d, 21);
    const double total = a[0] + a[1] + a[2], n = kDraws;
    for (std::size_t j = 0; j < 3; ++j) {
      const double mean = a[j] / total, variance = mean * (1 - mean) / (total + 1);
      EXPECT_NEAR(row_mean(x, j), mean, 4 * std::sqrt(variance / n));
      const boost::math::beta_distribution<> marginal(a[j], total - a[j]);
      const auto row = x.row(j);
      EXPECT_GT(goodness::ks_p_value({row.begin(), row.end()},
                                     [&](double v) { return boost::math::cdf(marginal, std::min(v, 1.0)); }),
                1e-4);
    }
    // Covariance of the first two: -m1 m2 / (total + 1); the error from the spread of the products.
    const double m0 = a[0] / total, m1 = a[1] / total;
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < kDraws; ++i) {
      const double product = (x(0, i) - m0) * (x(1, i) - m1);
      sum += product;
      squares += product * product;
    }
    const double error = std::sqrt((squares / n - sum / n * sum / n) / n);
    EXPECT_NEAR(sum / n, -m0 * m1 / (total + 1), 4 * error);
  }
}

TEST(Dirichlet, TinyConcentrationsGiveCornersNotNaN) {
  for (const double a : {1e-3, 1e-10, 1e-300}) {
    const Dirichlet d({a, a, a});
    const BlockStorage x = draws(d, 2, 6000);
    double first = 0;
    for (std::size_t i = 0; i < 6000; ++i) {
      const std::vector<double> point = column(x, i);
      double sum = 0;
      for (const double v : point) {
        ASSERT_GE(v, std::numeric_limits<double>::min());
        sum += v;
      }
      ASSERT_NEAR(sum, 1, 1e-12);
      ASSERT_TRUE(std::isfinite(d.log_density(point)));
      first += point[0] > 0.5 ? 1 : 0;
    }
    EXPECT_NEAR(first, 2000, 4 * std::sqrt(6000 * 2.0 / 9) + 60) << a;
  }
}

TEST(Dirichlet, RefusesBadInput) {
  EXPECT_THROW(Dirichlet({}), InputError);
  EXPECT_THROW(Dirichlet({1}), InputError);
  EXPECT_THROW(Dirichlet({1, 0}), InputError);
  EXPECT_THROW(Dirichlet({1, kNaN}), InputError);
  EXPECT_THROW(Dirichlet({1, kInf}), InputError);
}

}  // namespace
}  // namespace evident
