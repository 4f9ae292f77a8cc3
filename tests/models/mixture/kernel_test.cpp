// The vectorised kernels of the mixture against their scalar twins, on every SIMD target.
#include "../src/models/mixture/kernel.hpp"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "evident/base/log_math.hpp"

namespace evident::mixture {
namespace {

class MixtureKernel : public testing::TestWithParam<std::int64_t> {
 protected:
  void SetUp() override { use(GetParam()); }
  void TearDown() override { use(0); }
  static void use(std::int64_t targets) {
    hwy::SetSupportedTargetsForTest(targets);
    hwy::GetChosenTarget().DeInit();
  }

  std::mt19937_64 engine_{11};
  std::normal_distribution<double> normal_;
  std::uniform_real_distribution<double> uniform_{1e-6, 1.0};

  std::vector<double> observations(std::size_t n) {
    std::vector<double> y(n);
    for (double& v : y) v = 3 * normal_(engine_);
    return y;
  }
  BlockStorage particles(std::size_t k, std::size_t size) {
    BlockStorage theta(k == 1 ? 2 : 3 * k, size);
    for (std::size_t i = 0; i < size; ++i) {
      double total = 0;
      for (std::size_t j = 0; j < k; ++j) {
        theta(j, i) = 4 * normal_(engine_);
        theta(k + j, i) = std::exp(normal_(engine_));
        if (k > 1) total += theta(2 * k + j, i) = std::exp(normal_(engine_));
      }
      for (std::size_t j = 0; k > 1 && j < k; ++j) theta(2 * k + j, i) /= total;
    }
    return theta;
  }
  static std::vector<double> column(const BlockStorage& theta, std::size_t i) {
    std::vector<double> x(theta.rows());
    for (std::size_t j = 0; j < x.size(); ++j) x[j] = theta(j, i);
    return x;
  }
  /// A span of exactly `size` numbers, guarded behind.
  static std::vector<double> likelihoods(const Likelihood& data, const BlockStorage& theta) {
    std::vector<double> out(theta.size() + 1, 12345.0);
    log_likelihood(data, theta, std::span(out).first(theta.size()));
    EXPECT_EQ(out.back(), 12345.0) << "written behind the end";
    out.pop_back();
    return out;
  }
};

/// Rounding: a few ulp per observation, and of the result.
double tolerance(const Likelihood& data, double value) {
  return 2e-15 * static_cast<double>(data.y.size()) * (1 + std::abs(value) / static_cast<double>(data.y.size()));
}

TEST_P(MixtureKernel, LikelihoodAgreesWithTheScalarTwin) {
  for (const std::size_t k : {1, 2, 4, 7})
    for (const std::size_t n : {2, 9, 10, 21, 100})
      for (const double floor : {1e-13, 0.0, 1e-200, 1.0}) {
        const auto y = observations(n);
        const Likelihood data{y, k, floor};
        for (std::size_t size = 1; size <= 17; ++size) {
          const auto theta = particles(k, size);
          const auto out = likelihoods(data, theta);
          for (std::size_t i = 0; i < size; ++i) {
            const double expected = log_likelihood_scalar(data, column(theta, i));
            ASSERT_NEAR(out[i], expected, tolerance(data, expected)) << "k " << k << " n " << n << " floor " << floor;
          }
        }
      }
}

TEST_P(MixtureKernel, ResultDoesNotDependOnThePosition) {
  const std::size_t k = 3, size = 17;
  const auto y = observations(57);
  for (const double floor : {1e-13, 0.0}) {
    const Likelihood data{y, k, floor};
    auto theta = particles(k, size);
    theta(k, 3) = 1e250;  // a neighbour that forces the careful product must leave no trace
    theta(0, 9) = kNaN;
    const auto out = likelihoods(data, theta);
    for (std::size_t shift = 1; shift < size; ++shift) {
      BlockStorage moved(theta.rows(), size);
      for (std::size_t i = 0; i < size; ++i)
        for (std::size_t row = 0; row < theta.rows(); ++row) moved(row, (i + shift) % size) = theta(row, i);
      const auto again = likelihoods(data, moved);
      for (std::size_t i = 0; i < size; ++i) {
        if (i == 9) {
          ASSERT_TRUE(std::isnan(again[(i + shift) % size]));
        } else {
          ASSERT_EQ(out[i], again[(i + shift) % size]) << "particle " << i << " shift " << shift;
        }
      }
    }
  }
}

TEST_P(MixtureKernel, ExtremeValues) {
  const std::size_t k = 2;
  const auto y = observations(45);
  for (const double floor : {1e-13, 0.0}) {
    const Likelihood data{y, k, floor};
    for (const double lambda : {1e-300, 1e-20, 1.0, 1e30, 1e300})
      for (const double mu : {0.0, y[0], 1e8, -1e120})
        for (const double weight : {0.0, 1e-300, 0.5, 1.0}) {
          BlockStorage theta(3 * k, 1);
          const std::vector<double> x = {mu, 0.3, lambda, 1.5, weight, 1 - weight};
          for (std::size_t row = 0; row < x.size(); ++row) theta(row, 0) = x[row];
          const double expected = log_likelihood_scalar(data, x), actual = likelihoods(data, theta)[0];
          if (std::isinf(expected)) {
            EXPECT_EQ(actual, expected);
          } else {
            EXPECT_NEAR(actual, expected, 4e-15 * (std::abs(expected) + 45))
                << "lambda " << lambda << " mu " << mu << " weight " << weight << " floor " << floor;
          }
        }
  }
}

TEST_P(MixtureKernel, GradientAgreesWithTheScalarTwin) {
  for (const std::size_t k : {1, 2, 5})
    for (const double floor : {1e-13, 0.0}) {
      const auto y = observations(30);
      const Likelihood data{y, k, floor};
      for (std::size_t size = 1; size <= 17; ++size) {
        const auto theta = particles(k, size);
        BlockStorage out(theta.rows(), size);
        gradient(data, theta, out);
        for (std::size_t i = 0; i < size; ++i) {
          std::vector<double> expected(theta.rows());
          gradient_scalar(data, column(theta, i), expected);
          for (std::size_t row = 0; row < theta.rows(); ++row)
            ASSERT_NEAR(out(row, i), expected[row], 1e-11 * (1 + std::abs(expected[row]))) << "row " << row;
        }
      }
    }
}

TEST_P(MixtureKernel, WeightMovesAgreeWithTheScalarTwin) {
  std::size_t accepted = 0, proposed = 0;
  for (const std::size_t k : {2, 4})
    for (const double floor : {1e-13, 0.0})
      for (std::size_t size = 1; size <= 17; ++size) {
        const std::size_t moves = 3;
        const auto y = observations(40);
        const Likelihood data{y, k, floor};
        auto theta = particles(k, size);
        BlockStorage normals(moves * (k - 1), size), uniforms(2 * moves, size);
        for (std::size_t i = 0; i < size; ++i) {
          for (std::size_t r = 0; r < normals.rows(); ++r) normals(r, i) = normal_(engine_);
          for (std::size_t r = 0; r < uniforms.rows(); ++r) uniforms(r, i) = uniform_(engine_);
        }
        const WeightMoves settings{0.7, 1.5, 0.4, moves, normals, uniforms};
        std::vector<double> ll = likelihoods(data, theta), lp(size, -1.0);
        const auto before = theta;
        auto twin_ll = ll, twin_lp = lp;
        move_weights(data, settings, theta, lp, ll);
        const auto fresh = likelihoods(data, theta);
        for (std::size_t i = 0; i < size; ++i) {
          auto x = column(before, i);
          move_weights_scalar(data, settings, i, x, twin_lp[i], twin_ll[i]);
          for (std::size_t row = 0; row < x.size(); ++row) ASSERT_NEAR(theta(row, i), x[row], 1e-13);
          ASSERT_NEAR(ll[i], twin_ll[i], 1e-11);
          ASSERT_NEAR(lp[i], twin_lp[i], 1e-11);
          ASSERT_NEAR(ll[i], fresh[i], 1e-11);
          ++proposed;
          accepted += theta(2 * k, i) != before(2 * k, i);
        }
      }
  EXPECT_GT(accepted, proposed / 10);
  EXPECT_LT(accepted, proposed);
}

INSTANTIATE_TEST_SUITE_P(Targets, MixtureKernel, testing::ValuesIn(hwy::SupportedAndGeneratedTargets()),
                         [](const auto& test) { return hwy::TargetName(test.param); });

}  // namespace
}  // namespace evident::mixture
