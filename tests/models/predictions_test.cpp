// What the built-in models predict, against what their own simulations say.
#include <gtest/gtest.h>

#include <cmath>

#include "evident/base/log_math.hpp"
#include "models/goodwin/goodwin.hpp"
#include "models/goodwin/problems.hpp"
#include "models/goodwin/simulate.hpp"
#include "models/mixture/gaussian_mixture.hpp"
#include "models/pet/compartments.hpp"
#include "models/pet/simulate.hpp"
#include "models/regression/linear_regression.hpp"
#include "support/mean_error.hpp"

namespace evident {
namespace {

constexpr std::size_t kSets = 4000;

BlockStorage copies(const std::vector<double>& theta, std::size_t count) {
  BlockStorage out(theta.size(), count);
  for (std::size_t j = 0; j < theta.size(); ++j) std::ranges::fill(out.row(j), theta[j]);
  return out;
}

BlockStorage drawn(const Model& model, const std::vector<double>& theta, std::size_t rows) {
  BlockStorage out(rows, kSets);
  model.draw_observations(copies(theta, kSets), Streams({.seed = 11}), 0, out);
  return out;
}

std::vector<double> predicted(const Model& model, const std::vector<double>& theta, std::size_t rows) {
  BlockStorage out(rows, 1);
  model.predict(copies(theta, 1), out);
  std::vector<double> mean(rows);
  for (std::size_t i = 0; i < rows; ++i) mean[i] = out(i, 0);
  return mean;
}

/// Means of the draws are the predictions, within four standard errors: there are many of them.
void expect_means(const BlockStorage& draws, const std::vector<double>& mean) {
  for (std::size_t row = 0; row < mean.size(); ++row) {
    const MeanError m = mean_error({draws.row(row).begin(), draws.row(row).end()});
    EXPECT_NEAR(m.mean, mean[row], 4 * m.standard_error) << row;
  }
}

/// Draws do not depend on how the particles are cut into blocks.
void expect_streams(const Model& model, const std::vector<double>& theta, std::size_t rows) {
  const Streams streams({.seed = 3});
  BlockStorage whole(rows, 24), part(rows, 8);
  model.draw_observations(copies(theta, 24), streams, 0, whole);
  model.draw_observations(copies(theta, 8), streams, 16, part);
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(part(row, i), whole(row, 16 + i));
}

TEST(Predictions, Mixture) {
  const GaussianMixture model({.components = 2}, {0, 1, 2, 5});
  const std::vector<double> theta{-1, 4, 1, 0.25, 0.3, 0.7};
  ASSERT_EQ(model.observed().size(), 1u);
  EXPECT_EQ(model.observed()[0].values, (std::vector<double>{0, 1, 2, 5}));
  const std::vector<double> mean = predicted(model, theta, 4);
  EXPECT_DOUBLE_EQ(mean[2], 0.3 * -1 + 0.7 * 4);
  const BlockStorage y = drawn(model, theta, 4);
  expect_means(y, mean);
  std::vector<double> squares;
  for (const double v : y.row(1)) squares.push_back((v - mean[1]) * (v - mean[1]));
  const double variance = 0.3 * (1 + std::pow(-1 - 2.5, 2)) + 0.7 * (4 + std::pow(4 - 2.5, 2));
  expect_mean(squares, variance, "variance of a mixture");
  expect_streams(model, theta, 4);
  const GaussianMixture one({.components = 1}, {0, 1, 2, 5});
  EXPECT_DOUBLE_EQ(predicted(one, {3, 4}, 4)[0], 3);
  expect_means(drawn(one, {3, 4}, 4), {3, 3, 3, 3});
}

TEST(Predictions, Regression) {
  const auto data = std::make_shared<const RegressionData>(std::vector<double>{1, 2, 3},
                                                           std::vector<std::vector<double>>{{0, 1, 2}, {5, 5, 8}},
                                                           std::vector<std::string>{}, false);
  const LinearRegression model(data, {}, 0b10);
  const std::vector<double> theta{4, 1, 0.5};  // precision, intercept, beta[x2]
  EXPECT_EQ(predicted(model, theta, 3), (std::vector<double>{3.5, 3.5, 5}));
  EXPECT_TRUE(model.observed()[0].axis.empty()) << "two covariates: neither is the axis";
  const BlockStorage y = drawn(model, theta, 3);
  expect_means(y, {3.5, 3.5, 5});
  EXPECT_NEAR(mean_error({y.row(2).begin(), y.row(2).end()}).sd, 0.5, 4 * 0.5 / std::sqrt(2.0 * kSets));
  expect_streams(model, theta, 3);
  const auto single =
      std::make_shared<const RegressionData>(std::vector<double>{1, 2, 3}, std::vector<std::vector<double>>{{0, 1, 2}},
                                             std::vector<std::string>{"dose"}, false);
  EXPECT_EQ(LinearRegression(single, {}, 0).observed()[0].axis_name, "dose");
}

TEST(Predictions, GoodwinStatesAreThoseOfTheOtherSolver) {
  for (const std::size_t m : {3u, 5u}) {
    const GoodwinSimulation what = test::typical(m);
    const auto states = goodwin_trajectory(what);
    const Goodwin model(simulate_goodwin(what, Streams({.seed = 1})), {.components = m});
    const std::size_t n = what.times.size();
    const std::vector<double> mean = predicted(model, what.theta, 2 * n);
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t c = 0; c < 2; ++c) EXPECT_NEAR(mean[c * n + j], states[j][c], 1e-4 * (1 + states[j][c])) << m;
    ASSERT_EQ(model.observed().size(), 2u);
    EXPECT_EQ(model.observed()[1].name, "x2");
    EXPECT_EQ(model.observed()[1].axis, what.times);
  }
}

TEST(Predictions, GoodwinNoiseAndRest) {
  GoodwinSimulation what = test::typical(3);
  what.times = {1, 2, 400, 500};
  what.sigma = 0.3;
  const Goodwin model(simulate_goodwin(what, Streams({.seed = 1})), {.components = 3, .sigma = 0.3});
  const auto states = goodwin_trajectory(what);
  const std::vector<double> mean = predicted(model, what.theta, 8);
  for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(mean[j], states[j][0], 1e-4) << j;  // the last two are at rest
  BlockStorage y(8, 400);
  model.draw_observations(copies(what.theta, 400), Streams({.seed = 11}), 0, y);
  expect_means(y, mean);
  EXPECT_NEAR(mean_error({y.row(0).begin(), y.row(0).end()}).sd, 0.3, 4 * 0.3 / std::sqrt(800.0));
  expect_streams(model, what.theta, 8);
  EXPECT_TRUE(std::isnan(predicted(model, {0.5, -1, 0.04, 1.5, 0.2}, 8)[0])) << "no density, no prediction";
}

TEST(Predictions, Pet) {
  const PetStudy study = simulate_pet({}, Streams({.seed = 3}));
  const std::size_t n = study.frames.time.size();
  const PetSimulation truth;
  PetOptions options = zhou2013_n(truth.phi.size());
  const PetCompartments model(options, study.input(), study.frames, study.activity);
  std::vector<double> theta = truth.phi;
  theta.insert(theta.end(), truth.theta.begin(), truth.theta.end());
  theta.push_back(truth.lambda);
  const std::vector<double> mean = predicted(model, theta, n);
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_NEAR(mean[i], std::abs(study.truth[i]), 1e-4 * std::abs(study.truth[i])) << i;
    EXPECT_NEAR(model.observed()[0].values[i], study.activity[i], 1e-12 * std::abs(study.activity[i]));
  }
  const BlockStorage y = drawn(model, theta, n);
  expect_means(y, mean);
  const double sd = std::sqrt(mean[9] / (truth.lambda * study.frames.dt[9]));
  EXPECT_NEAR(mean_error({y.row(9).begin(), y.row(9).end()}).sd, sd, 4 * sd / std::sqrt(2.0 * kSets));
  expect_streams(model, theta, n);

  options.marginal_precision = true;  // the precision that is not there comes from the residuals
  const PetCompartments marginal(options, study.input(), study.frames, study.activity);
  theta.pop_back();
  const BlockStorage z = drawn(marginal, theta, n);
  double squares = 0;
  for (std::size_t i = 0; i < n; ++i)
    squares += study.frames.dt[i] * std::pow(study.activity[i] - mean[i], 2) / mean[i];
  // E 1/lambda of Gamma(a + n/2, rate) is rate / (a + n/2 - 1).
  const double a = options.precision_shape + static_cast<double>(n) / 2;
  const double variance = mean[9] / study.frames.dt[9] * (1 / options.precision_scale + squares / 2) / (a - 1);
  std::vector<double> squared;
  for (const double v : z.row(9)) squared.push_back((v - mean[9]) * (v - mean[9]));
  expect_mean(squared, variance, "variance with the precision integrated out");
}

TEST(Predictions, PetStudentNoiseHasItsTails) {
  PetSimulation what{.noise = PetNoise::student};
  const PetStudy study = simulate_pet(what, Streams({.seed = 3}));
  const std::size_t n = study.frames.time.size();
  const PetCompartments model(zhou2013_i(what.phi.size()), study.input(), study.frames, study.activity);
  std::vector<double> theta = what.phi;
  theta.insert(theta.end(), what.theta.begin(), what.theta.end());
  theta.push_back(what.lambda);
  theta.push_back(0.25);
  const BlockStorage y = drawn(model, theta, n);
  const std::vector<double> mean = predicted(model, theta, n);
  const double scale = std::sqrt(mean[9] / (what.lambda * study.frames.dt[9]));
  double outside = 0;
  for (const double v : y.row(9)) outside += std::abs(v - mean[9]) > 2.776 * scale ? 1.0 / kSets : 0.0;
  EXPECT_NEAR(outside, 0.05, 4 * std::sqrt(0.05 * 0.95 / kSets)) << "two-sided 5 % of Student t with 4 degrees";
}

}  // namespace
}  // namespace evident
