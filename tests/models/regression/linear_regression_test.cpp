#include "models/regression/linear_regression.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "evident/dist/distribution.hpp"
#include "models/regression/simulate.hpp"

namespace evident {
namespace {

const Streams kStreams({.seed = 17});
using Columns = std::vector<std::vector<double>>;

std::shared_ptr<const RegressionData> some_data(std::size_t n = 25, bool standardise = true) {
  const auto table = simulate_regression({}, n, kStreams);
  return std::make_shared<const RegressionData>(table.y, table.columns, table.names, standardise);
}

TEST(RegressionData, ColumnsAreStandardised) {
  const auto data = some_data();
  for (std::size_t j = 1; j <= 5; ++j) {
    EXPECT_NEAR(data->product(0, j), 0, 1e-12);
    EXPECT_NEAR(data->product(j, j), 25, 1e-11);
  }
  const auto table = simulate_regression({}, 25, kStreams);
  EXPECT_EQ(some_data(25, false)->column(2), table.columns[1]);
}

TEST(RegressionData, BadInput) {
  EXPECT_THROW(RegressionData({}, {}), InputError);
  EXPECT_THROW(RegressionData({1, 2}, {{1}}), InputError);
  EXPECT_THROW(RegressionData({1, 2}, {{3, 3}}), InputError);
  EXPECT_NO_THROW(RegressionData({1, 2}, {{3, 3}}, {}, false));
  EXPECT_THROW(RegressionData({1, kNaN}, {}), InputError);
  EXPECT_THROW(RegressionData({1, 2}, {{3, kInf}}), InputError);
  EXPECT_THROW(RegressionData({1, 2}, {{3, 4}, {5, 3}}, {"a", "a"}), InputError);
  EXPECT_THROW(RegressionData({1, 2}, {{3, 4}}, {"a", "b"}), InputError);
  EXPECT_THROW(RegressionData({1, 2}, Columns(61, std::vector<double>{1, 2})), InputError);
  const auto data = some_data();
  EXPECT_THROW(LinearRegression(data, {}, 0b100000), InputError);
  EXPECT_THROW(LinearRegression(data, {.precision_shape = 0}, 0), InputError);
  EXPECT_THROW(LinearRegression(data, {.precision_rate = -1}, 0), InputError);
  EXPECT_THROW(LinearRegression(data, {.intercept_scale = kNaN}, 0), InputError);
  EXPECT_THROW(LinearRegression(data, {.coefficient_scale = kInf}, 0), InputError);
}

TEST(LinearRegression, ParametersInOrder) {
  const LinearRegression model(some_data(), {}, 0b10100);
  EXPECT_EQ(model.parameters().names(), (std::vector<std::string>{"precision", "intercept", "beta[x3]", "beta[x5]"}));
  EXPECT_EQ(model.groups(), (std::vector<std::vector<std::size_t>>{{0}, {1, 2, 3}}));
  EXPECT_EQ(model.observation_count(), 25u);
}

/// The formulas at the top of the header, one normal at a time.
TEST(LinearRegression, DensitiesAreThoseOfTheDocumentation) {
  const auto data = some_data();
  const LinearRegression model(data, {.precision_shape = 2.5, .precision_rate = 0.7, .coefficient_scale = 1.5},
                               0b01010);
  BlockStorage theta(4, 13);
  model.draw_prior(kStreams, 0, theta);
  std::vector<double> prior(13), likelihood(13);
  model.log_prior(theta, prior);
  model.log_likelihood(theta, likelihood);
  for (std::size_t i = 0; i < 13; ++i) {
    const double sigma = 1 / std::sqrt(theta(0, i));
    double p = gamma_rate(2.5, 0.7).log_density(theta(0, i)) + normal(0, 10 * sigma).log_density(theta(1, i)), l = 0;
    for (const std::size_t row : {2, 3}) p += normal(0, 1.5 * sigma).log_density(theta(row, i));
    for (std::size_t r = 0; r < 25; ++r) {
      const double mean = theta(1, i) + theta(2, i) * data->column(2)[r] + theta(3, i) * data->column(4)[r];
      l += normal(mean, sigma).log_density(data->response()[r]);
    }
    EXPECT_NEAR(prior[i], p, 1e-11 * (1 + std::abs(p)));
    EXPECT_NEAR(likelihood[i], l, 1e-11 * (1 + std::abs(l)));
  }
}

TEST(LinearRegression, ResultsDoNotDependOnThePlaceInTheBlock) {
  const LinearRegression model(some_data(), {}, 0b11111);
  BlockStorage theta(7, 17);
  model.draw_prior(kStreams, 0, theta);
  std::vector<double> prior(17), likelihood(17);
  model.log_prior(theta, prior);
  model.log_likelihood(theta, likelihood);
  for (std::size_t i = 0; i < 17; ++i) {
    BlockStorage one(7, 1);
    for (std::size_t row = 0; row < 7; ++row) one(row, 0) = theta(row, i);
    double p = 0, l = 0;
    model.log_prior(one, std::span(&p, 1));
    model.log_likelihood(one, std::span(&l, 1));
    EXPECT_EQ(p, prior[i]);
    EXPECT_EQ(l, likelihood[i]);
  }
}

/// Moments of the prior: coefficients are Student t with 2 a degrees of freedom.
TEST(LinearRegression, DrawsHaveThePriorsMoments) {
  const LinearRegression model(some_data(), {.precision_shape = 5, .precision_rate = 2}, 0b1);
  constexpr std::size_t kDraws = 20000;
  BlockStorage theta(3, kDraws);
  model.draw_prior(kStreams, 0, theta);
  double precision = 0, square = 0, scaled = 0;
  for (std::size_t i = 0; i < kDraws; ++i) {
    precision += theta(0, i) / kDraws;
    square += theta(2, i) * theta(2, i) / kDraws;
    scaled += theta(0, i) * theta(1, i) * theta(1, i) / kDraws;
  }
  const double n = kDraws;
  EXPECT_NEAR(precision, 2.5, 4.5 * std::sqrt(5.0 / 4 / n));
  EXPECT_NEAR(square, 2.0 / 4, 4.5 * std::sqrt((3 * 4.0 / 12 - 0.25) / n));  // E[sigma^2] = b/(a-1), E[sigma^4]
  EXPECT_NEAR(scaled, 100, 4.5 * 100 * std::sqrt(2 / n));
}

TEST(LinearRegression, GradientByDifferences) {
  const LinearRegression model(some_data(), {.precision_shape = 3}, 0b10110);
  const std::size_t rows = model.parameters().size();
  BlockStorage theta(rows, 6), d_prior(rows, 6), d_likelihood(rows, 6);
  model.draw_prior(kStreams, 0, theta);
  model.gradient(theta, d_prior, d_likelihood);
  for (std::size_t row = 0; row < rows; ++row) {
    std::vector<double> p[2], l[2];
    const double h = 1e-6;
    for (const int side : {0, 1}) {
      BlockStorage moved = theta;
      for (std::size_t i = 0; i < 6; ++i) moved(row, i) *= side == 0 ? 1 + h : 1 - h;
      p[side].resize(6);
      l[side].resize(6);
      model.log_prior(moved, p[side]);
      model.log_likelihood(moved, l[side]);
    }
    for (std::size_t i = 0; i < 6; ++i) {
      const double step = 2 * h * theta(row, i);
      const double noise = 1e-9 / std::abs(step) * 1e-6;
      EXPECT_NEAR(d_prior(row, i), (p[0][i] - p[1][i]) / step, 1e-6 * (1 + std::abs(d_prior(row, i))) + noise);
      EXPECT_NEAR(d_likelihood(row, i), (l[0][i] - l[1][i]) / step,
                  1e-6 * (1 + std::abs(d_likelihood(row, i))) + noise * (1 + std::abs(l[0][i])));
    }
  }
}

TEST(LinearRegression, PartsOfTheLikelihoodAddUp) {
  const LinearRegression model(some_data(), {}, 0b10011);
  EXPECT_TRUE(model.has_sequence());
  BlockStorage theta(5, 9);
  model.draw_prior(kStreams, 0, theta);
  std::vector<double> whole(9), part(9), sum(9, 0.0);
  model.log_likelihood(theta, whole);
  for (std::size_t first = 0; first < 25; first += 4) {
    model.log_likelihood_of(theta, first, std::min<std::size_t>(4, 25 - first), part);
    for (std::size_t i = 0; i < 9; ++i) sum[i] += part[i];
  }
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(sum[i], whole[i], 1e-12 * std::abs(whole[i]));
}

/// The integral over precision and intercept by the trapezoidal rule on wide grids, which converges at once for such
/// smooth integrands.
TEST(LinearRegression, ExactEvidenceByQuadrature) {
  const auto data = std::make_shared<const RegressionData>(std::vector<double>{0.4, 1.9, 1.1}, Columns{{1, 2, 4}});
  const RegressionOptions options{.precision_shape = 1.5, .precision_rate = 0.8, .intercept_scale = 2};
  for (const CovariateSet set : {0, 1}) {
    const LinearRegression model(data, options, set);
    const std::size_t rows = model.parameters().size();
    constexpr int kHalf = 60;
    const double dz = 0.15, dc = 0.12;
    double total = -kInf;
    for (int z = -kHalf; z <= kHalf; ++z) {  // log precision; coefficients in units of sigma
      const double precision = std::exp(z * dz), sigma = 1 / std::sqrt(precision);
      const int others = rows == 3 ? 2 * kHalf + 1 : 1;
      BlockStorage theta(rows, static_cast<std::size_t>(others));
      std::vector<double> p(theta.size()), l(theta.size());
      for (int c = -2 * kHalf; c <= 2 * kHalf; ++c) {
        for (int e = 0; e < others; ++e) {
          const auto i = static_cast<std::size_t>(e);
          theta(0, i) = precision;
          theta(1, i) = 2 * c * dc * sigma;
          if (rows == 3) theta(2, i) = (e - kHalf) * dc * sigma;
        }
        model.log_prior(theta, p);
        model.log_likelihood(theta, l);
        const double cell = std::log(dz * precision * 2 * dc * sigma) + (rows == 3 ? std::log(dc * sigma) : 0.0);
        for (std::size_t i = 0; i < theta.size(); ++i) total = log_add_exp(total, p[i] + l[i] + cell);
      }
    }
    EXPECT_NEAR(model.exact_log_evidence(), total, 1e-5) << set;
  }
}

/// One observation after another with the known predictive law, a Student t.
TEST(LinearRegression, ExactEvidenceIsTheProductOfPredictions) {
  const std::vector<double> y = {0.4, 1.9, 1.1, -0.7};
  double a = 1, b = 1, precision = 1.0 / 100, mean = 0, total = 0;
  for (const double v : y) {
    total += student_t(2 * a, mean, std::sqrt(b / a * (1 + 1 / precision))).log_density(v);
    const double next = (precision * mean + v) / (precision + 1);
    b += 0.5 * precision / (precision + 1) * (v - mean) * (v - mean);
    mean = next;
    precision += 1;
    a += 0.5;
  }
  const LinearRegression model(std::make_shared<const RegressionData>(y, Columns{}), {}, 0);
  EXPECT_NEAR(model.exact_log_evidence(), total, 1e-12);
}

/// Prior draws weighted with the likelihood, for a model with three covariates and few, noisy observations.
TEST(LinearRegression, ExactEvidenceByImportanceSampling) {
  const LinearRegression model(some_data(4), {.intercept_scale = 1, .coefficient_scale = 0.5}, 0b10101);
  constexpr std::size_t kDraws = 200'000;
  BlockStorage theta(5, kDraws);
  model.draw_prior(kStreams, 0, theta);
  std::vector<double> l(kDraws);
  model.log_likelihood(theta, l);
  const double estimate = log_mean_exp(l);
  double square = 0;
  for (const double v : l) square += std::pow(std::exp(v - estimate) - 1, 2);
  const double error = std::sqrt(square) / kDraws;
  EXPECT_LT(error, 0.02);
  EXPECT_NEAR(model.exact_log_evidence(), estimate, 4.5 * error);
}

TEST(RegressionSimulator, LongerTablesBeginWithTheShorterAndCorrelate) {
  const auto small = simulate_regression({}, 10, kStreams), large = simulate_regression({}, 4000, kStreams);
  for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(small.y[i], large.y[i]);
  const RegressionData data(large.y, large.columns, large.names);
  EXPECT_EQ(large.names.back(), "x5");
  EXPECT_NEAR(data.product(1, 2) / 4000, 0.6, 0.05);
  EXPECT_NEAR(data.product(1, 3) / 4000, 0.36, 0.06);
  EXPECT_THROW(simulate_regression({.noise_sd = 0}, 5, kStreams), InputError);
  EXPECT_THROW(simulate_regression({.correlation = 1}, 5, kStreams), InputError);
  EXPECT_THROW(simulate_regression({.coefficients = {kNaN}}, 5, kStreams), InputError);
}

}  // namespace
}  // namespace evident
