#include "models/mixture/gaussian_mixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "models/mixture/simulate.hpp"
#include "support/data_path.hpp"

namespace evident {
namespace {

const Streams kStreams({.seed = 3});

std::vector<double> some_data(std::size_t n = 40) { return simulate_mixture({}, n, kStreams); }

BlockStorage prior_draws(const GaussianMixture& model, std::size_t size) {
  BlockStorage theta(model.parameters().size(), size);
  model.draw_prior(kStreams, 0, theta);
  return theta;
}

TEST(GaussianMixture, ParametersInOrder) {
  const GaussianMixture model({.components = 2}, {1.0, 5.0, 2.0});
  EXPECT_EQ(model.parameters().names(),
            (std::vector<std::string>{"mu[1]", "mu[2]", "lambda[1]", "lambda[2]", "weight[1]", "weight[2]"}));
  EXPECT_EQ(model.groups(), (std::vector<std::vector<std::size_t>>{{0, 1}, {2, 3}, {4}}));
  EXPECT_EQ(*model.options().mean_center, 3.0);
  EXPECT_EQ(*model.options().mean_sd, 4.0);
  EXPECT_EQ(*model.options().precision_scale, 50.0 / 16.0);
  const GaussianMixture single({}, {1.0, 5.0, 2.0});
  EXPECT_EQ(single.parameters().names(), (std::vector<std::string>{"mu[1]", "lambda[1]"}));
  EXPECT_EQ(single.groups(), (std::vector<std::vector<std::size_t>>{{0}, {1}}));
  EXPECT_FALSE(single.has_own_move());
}

TEST(GaussianMixture, BadInput) {
  const std::vector<double> y = {1.0, 2.0};
  EXPECT_THROW(GaussianMixture({.components = 0}, y), InputError);
  EXPECT_THROW(GaussianMixture({.components = 1'000'001}, y), InputError);
  EXPECT_THROW(GaussianMixture({}, {1.0}), InputError);
  EXPECT_THROW(GaussianMixture({}, {1.0, 1.0, 1.0}), InputError);
  EXPECT_THROW(GaussianMixture({}, {1.0, kNaN}), InputError);
  EXPECT_THROW(GaussianMixture({}, {1.0, kInf}), InputError);
  EXPECT_THROW(GaussianMixture({.mean_sd = 0.0}, y), InputError);
  EXPECT_THROW(GaussianMixture({.precision_shape = -1}, y), InputError);
  EXPECT_THROW(GaussianMixture({.precision_scale = kNaN}, y), InputError);
  EXPECT_THROW(GaussianMixture({.components = 2, .concentration = 0}, y), InputError);
  EXPECT_THROW(GaussianMixture({.floor = -1e-13}, y), InputError);
}

TEST(GaussianMixture, PriorIsTheProductOfTheFormulas) {
  const GaussianMixture model({.components = 2, .mean_center = 1.0, .mean_sd = 3.0, .precision_scale = 0.5},
                              some_data());
  BlockStorage theta(6, 1);
  const std::array<double, 6> x = {0.5, -2.0, 0.7, 1.3, 0.2, 0.8};
  for (std::size_t row = 0; row < 6; ++row) theta(row, 0) = x[row];
  double expected = std::lgamma(2.0);  // Dirichlet(1, 1) has density 1
  for (std::size_t j = 0; j < 2; ++j) {
    const double t = (x[j] - 1) / 3;
    expected += -0.5 * t * t - 0.5 * kLog2Pi - std::log(3.0);
    expected += std::log(x[2 + j]) - x[2 + j] / 0.5 - 2 * std::log(0.5);
  }
  std::array<double, 1> out;
  model.log_prior(theta, out);
  EXPECT_NEAR(out[0], expected, 1e-13);
}

TEST(GaussianMixture, OneComponentIsTheNormalDistribution) {
  const auto y = some_data();
  const GaussianMixture model({.floor = 0}, y);
  const auto theta = prior_draws(model, 20);
  std::vector<double> out(20);
  model.log_likelihood(theta, out);
  for (std::size_t i = 0; i < 20; ++i) {
    double expected = 0;
    for (const double v : y) {
      const double t = v - theta(0, i), lambda = theta(1, i);
      expected += 0.5 * (std::log(lambda) - kLog2Pi - lambda * t * t);
    }
    EXPECT_NEAR(out[i], expected, 1e-13 * std::abs(expected));
  }
}

TEST(GaussianMixture, GradientAgreesWithFiniteDifferences) {
  for (const std::size_t k : {1, 3})
    for (const double floor : {1e-13, 0.0}) {
      const GaussianMixture model({.components = k, .concentration = 1.5, .floor = floor}, some_data());
      auto theta = prior_draws(model, 9);
      const std::size_t rows = theta.rows();
      BlockStorage prior(rows, 9), likelihood(rows, 9);
      model.gradient(theta, prior, likelihood);
      for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t i = 0; i < 9; ++i) {
          const double x = theta(row, i), h = 1e-5 * x;
          std::array<std::vector<double>, 2> ll{std::vector<double>(9), std::vector<double>(9)};
          theta(row, i) = x + h;
          model.log_likelihood(theta, ll[0]);
          theta(row, i) = x - h;
          model.log_likelihood(theta, ll[1]);
          theta(row, i) = x;
          // Truncation of order h^2 and rounding of order eps |ll| / h.
          const double slope = (ll[0][i] - ll[1][i]) / (2 * h);
          const double error = 1e-13 * (100 + std::abs(ll[0][i])) / std::abs(h) + 1e-6 * std::abs(slope);
          EXPECT_NEAR(likelihood(row, i), slope, error) << "row " << row << " particle " << i;
        }
    }
}

TEST(GaussianMixture, OrderedLabelsAreTheFreePriorSorted) {
  const std::size_t k = 3, size = 50;
  const auto y = some_data();
  const GaussianMixture free({.components = k}, y);
  const GaussianMixture ordered({.components = k, .labels = MixtureLabels::ordered}, y);
  const auto unsorted = prior_draws(free, size), sorted = prior_draws(ordered, size);
  std::vector<double> lp_free(size), lp_ordered(size), lp_unsorted(size), ll_free(size), ll_ordered(size);
  free.log_prior(sorted, lp_free);
  ordered.log_prior(sorted, lp_ordered);
  ordered.log_prior(unsorted, lp_unsorted);
  free.log_likelihood(unsorted, ll_free);
  ordered.log_likelihood(sorted, ll_ordered);
  std::size_t in_order = 0;
  for (std::size_t i = 0; i < size; ++i) {
    std::array<std::array<double, 3>, k> a, b;
    for (std::size_t j = 0; j < k; ++j)
      for (std::size_t f = 0; f < 3; ++f) a[j][f] = unsorted(f * k + j, i), b[j][f] = sorted(f * k + j, i);
    const bool was_ordered = std::is_sorted(a.begin(), a.end());
    in_order += was_ordered;
    std::sort(a.begin(), a.end());
    EXPECT_EQ(a, b);
    EXPECT_NEAR(lp_ordered[i], lp_free[i] + std::log(6.0), 1e-12);
    EXPECT_EQ(std::isinf(lp_unsorted[i]), !was_ordered);
    EXPECT_NEAR(ll_free[i], ll_ordered[i], 1e-12 * std::abs(ll_free[i]));
  }
  EXPECT_LT(in_order, size);
}

TEST(MixtureSimulator, FollowsTheTruth) {
  const std::size_t n = 40000;
  const MixtureTruth truth{.means = {-2, 5}, .sds = {0.5, 1.5}, .weights = {3, 1}};
  const auto y = simulate_mixture(truth, n, kStreams);
  const double mean = std::accumulate(y.begin(), y.end(), 0.0) / static_cast<double>(n);
  double variance = 0, low = 0;
  for (const double v : y) variance += (v - mean) * (v - mean) / static_cast<double>(n), low += v < 0;
  // mean -0.25; variance: within 0.75, between 9.1875.
  EXPECT_NEAR(mean, -0.25, 4 * std::sqrt(9.9375 / static_cast<double>(n)));
  EXPECT_NEAR(variance, 9.9375, 0.3);
  const double below = 0.75 * (1 - 3.2e-5) + 0.25 * 4.29e-4;
  EXPECT_NEAR(low / static_cast<double>(n), below, 4 * std::sqrt(0.25 * 0.75 / static_cast<double>(n)));
  const auto first = simulate_mixture(truth, 10, kStreams);
  EXPECT_TRUE(std::equal(first.begin(), first.end(), y.begin()));
  EXPECT_THROW(simulate_mixture({.means = {0}}, 10, kStreams), InputError);
  EXPECT_THROW(simulate_mixture({.means = {0}, .sds = {-1}, .weights = {1}}, 10, kStreams), InputError);
  EXPECT_THROW(simulate_mixture({.means = {0}, .sds = {1}, .weights = {0}}, 10, kStreams), InputError);
  EXPECT_THROW(simulate_mixture({.means = {}, .sds = {}, .weights = {}}, 10, kStreams), InputError);
}

/// log of the integral of exp(f) over a grid of step `step`; f falls to nothing at both ends.
double log_integral(const std::vector<double>& f, double step) { return log_sum_exp(f) + std::log(step); }

TEST(GaussianMixture, EvidenceOfOneComponentOnReferenceData) {
  const auto path = test::shared_data("gmm/observations.csv");
  if (!path) GTEST_SKIP() << "no reference data: set EVIDENT_DATA to the folder that holds gmm/observations.csv";
  std::ifstream file(*path);
  std::vector<double> y;
  std::string line;
  std::getline(file, line);  // the header
  while (std::getline(file, line)) y.push_back(std::stod(line));
  ASSERT_EQ(y.size(), 100U);
  const GaussianMixture model({}, y);
  EXPECT_NEAR(*model.options().mean_center, 1.351881, 1e-6);
  EXPECT_NEAR(*model.options().mean_sd, 11.44907, 1e-5);
  EXPECT_NEAR(*model.options().precision_scale, 0.381443, 1e-6);

  const double n = 100, mean = std::accumulate(y.begin(), y.end(), 0.0) / n;
  double squares = 0;
  for (const double v : y) squares += (v - mean) * (v - mean);
  const double peak = std::log(n / squares), mu_step = 0.03, log_step = 0.01;
  const std::size_t columns = 240, lambdas = 240;
  std::vector<double> in_two, in_one;
  BlockStorage theta(2, columns);
  std::vector<double> prior(columns), likelihood(columns);
  for (std::size_t row = 0; row < lambdas; ++row) {
    const double log_lambda = peak + (static_cast<double>(row) - 120) * log_step, lambda = std::exp(log_lambda);
    for (std::size_t i = 0; i < columns; ++i) {
      theta(0, i) = mean + (static_cast<double>(i) - 120) * mu_step;
      theta(1, i) = lambda;
    }
    model.log_prior(theta, prior);
    model.log_likelihood(theta, likelihood);
    for (std::size_t i = 0; i < columns; ++i) in_two.push_back(prior[i] + likelihood[i] + log_lambda);
    // With mu integrated by hand: y is normal with covariance I / lambda + R^2 1 1'.
    const double r = *model.options().mean_sd, scale = *model.options().precision_scale;
    const double spread = 1 + n * lambda * r * r, shift = mean - *model.options().mean_center;
    in_one.push_back(-0.5 * n * kLog2Pi + 0.5 * n * log_lambda - 0.5 * std::log(spread) -
                     0.5 * lambda * (squares + n * shift * shift / spread) + 2 * log_lambda - lambda / scale -
                     2 * std::log(scale));
  }
  const double two = log_integral(in_two, mu_step * log_step), one = log_integral(in_one, log_step);
  RecordProperty("log_evidence", std::to_string(two));
  EXPECT_NEAR(two, one, 1e-7);
}

}  // namespace
}  // namespace evident
