// Priors whose arguments are expressions of earlier parameters.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "evident/base/log_math.hpp"
#include "formula/small_model.hpp"

namespace evident::formula {
namespace {

using testing::HasSubstr;

const auto kData = numbers({{"x", {1, 2, 3}}, {"y", {0.5, 1.5, 2}}});

std::shared_ptr<const Model> hierarchy() {
  return make(kData, {.parameters = {{"mu", "normal(0, 2)"},
                                     {"s", "normal(0, 0.5)"},
                                     {"theta[3]", "normal(mu + 1, exp(s))"},
                                     {"k", "gamma(shape=2, rate=exp(s) + 1)"},
                                     {"u", "uniform(k + exp(s), k + 2 * exp(s))"},
                                     {"v", "uniform(-k, 1)"},
                                     {"w", "truncated-normal(2 * mu, exp(s), mu - 1, 9 + mu)"}},
                      .likelihood = {{"y", "normal(theta[1] + v + u * x, 1 + abs(w))"}}});
}

double normal_density(double x, double mean, double sd) {
  return -0.5 * std::pow((x - mean) / sd, 2) - std::log(sd) - 0.5 * kLog2Pi;
}

TEST(ComputedPriors, DensityAndDraws) {
  const auto model = hierarchy();
  const ParameterSpace& space = model->parameters();
  EXPECT_EQ(space.prior_text(2), "normal(mu + 1, exp(s))");
  constexpr std::size_t n = 4000;
  BlockStorage theta(9, n);
  model->draw_prior(Streams({.seed = 11}), 0, theta);
  std::vector<double> density(n);
  model->log_prior(theta, density);
  double first = 0, second = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double mu = theta(0, i), s = theta(1, i), k = theta(5, i), e = std::exp(s);
    double expected = normal_density(mu, 0, 2) + normal_density(s, 0, 0.5);
    for (std::size_t j = 2; j < 5; ++j) {
      expected += normal_density(theta(j, i), mu + 1, e);
      const double z = (theta(j, i) - mu - 1) / e;
      first += z / (3 * n);
      second += z * z / (3 * n);
    }
    expected += 2 * std::log(e + 1) + std::log(k) - k * (e + 1) - std::log(e) - std::log(1 + k);
    const double low = (mu - 1 - 2 * mu) / e, high = (9 + mu - 2 * mu) / e, w = theta(8, i);
    const double mass = 0.5 * (std::erfc(-high / std::sqrt(2.0)) - std::erfc(-low / std::sqrt(2.0)));
    ASSERT_GE(w, mu - 1);
    ASSERT_LE(theta(6, i), k + 2 * e);
    ASSERT_GE(theta(6, i), k + e);
    if (mass > 1e-6) {
      ASSERT_NEAR(density[i], expected + normal_density(w, 2 * mu, e) - std::log(mass), 1e-8);
    }
  }
  EXPECT_NEAR(first, 0, 4 / std::sqrt(3.0 * n));
  EXPECT_NEAR(second, 1, 4 * std::sqrt(2 / (3.0 * n)));
}

/// From z: the log posterior and its gradient, against differences.
TEST(ComputedPriors, ToTheFreeScaleAndBack) {
  const auto model = hierarchy();
  const ParameterSpace& space = model->parameters();
  constexpr std::size_t n = 40;
  BlockStorage theta(9, n), z(9, n), again(9, n), slopes(9, n), likelihood(9, n), d_z(9, n);
  model->draw_prior(Streams({.seed = 12}), 0, theta);
  space.unconstrain(theta, z);
  std::vector<double> jacobian(n);
  space.constrain(z, again, jacobian);
  for (std::size_t j = 0; j < 9; ++j)
    for (std::size_t i = 0; i < n; ++i)
      ASSERT_NEAR(again(j, i), theta(j, i), 1e-9 * std::max(1.0, std::abs(theta(j, i)))) << j;
  const auto value = [&](const BlockStorage& at) {
    BlockStorage t(9, n);
    std::vector<double> jac(n), prior(n), own(n);
    space.constrain(at, t, jac);
    model->log_prior(t, prior);
    model->log_likelihood(t, own);
    for (std::size_t i = 0; i < n; ++i) prior[i] += jac[i] + own[i];
    return prior;
  };
  model->gradient(again, slopes, likelihood);
  for (std::size_t j = 0; j < 9; ++j)
    for (std::size_t i = 0; i < n; ++i) slopes(j, i) += likelihood(j, i);
  space.pull_back(z, again, slopes, d_z, true);
  for (std::size_t j = 0; j < 9; ++j) {
    BlockStorage up = z, down = z;
    for (std::size_t i = 0; i < n; ++i) {
      up(j, i) += 1e-5;
      down(j, i) -= 1e-5;
    }
    const std::vector<double> more = value(up), less = value(down);
    for (std::size_t i = 0; i < n; ++i) {
      const double expected = (more[i] - less[i]) / 2e-5;
      if (!std::isfinite(expected)) continue;
      EXPECT_NEAR(d_z(j, i), expected, 2e-5 * std::max(1.0, std::abs(expected))) << j << " " << i;
    }
  }
}

TEST(ComputedPriors, VectorsOfMeansAndDeviations) {
  const auto model = make(kData, {.parameters = {{"m", "normal(0, 1)"},
                                                 {"v[3]", "multivariate-normal([m, 2 * m, 5], [1, 2, exp(m)])"},
                                                 {"w[2]", "normal([0, 1], 3)"}},
                                  .likelihood = {{"y", "normal(v[1] + w[2], 1)"}}});
  BlockStorage theta(6, 1);
  const std::vector<double> values = {0.3, 1, -1, 4, 0.5, 2};
  for (std::size_t j = 0; j < 6; ++j) theta(j, 0) = values[j];
  std::vector<double> out(1);
  model->log_prior(theta, out);
  const double expected = normal_density(0.3, 0, 1) + normal_density(1, 0.3, 1) + normal_density(-1, 0.6, 2) +
                          normal_density(4, 5, std::exp(0.3)) + normal_density(0.5, 0, 3) + normal_density(2, 1, 3);
  EXPECT_NEAR(out[0], expected, 1e-12 * std::abs(expected));
}

TEST(ComputedPriors, WhatIsRefused) {
  const auto told = [](const std::string& prior, const std::string& name = "b") {
    return problem(kData,
                   {.parameters = {{"a", "normal(0, 1)"}, {name, prior}}, .likelihood = {{"y", "normal(a, 1)"}}});
  };
  EXPECT_THAT(told("normal(a * x, 1)"), HasSubstr("may not change from row to row"));
  EXPECT_THAT(told("normal(b, 1)"), HasSubstr("there is no name 'b'"));
  EXPECT_THAT(told("uniform(-inf, inf)"), HasSubstr("s.toml:1:1"));
  EXPECT_THAT(told("uniform(0, inf)"), HasSubstr("s.toml:1:1"));
  EXPECT_THAT(told("normal(0, -1)"), HasSubstr("sd > 0"));
  EXPECT_THAT(told("beta(0, 0)"), HasSubstr("s.toml:1:1"));
  EXPECT_THAT(told("gamma(shape=0, rate=0)"), HasSubstr("s.toml:1:1"));
  EXPECT_THAT(told("flat()"), HasSubstr("there is no function or distribution 'flat'"));
  EXPECT_THAT(told("poisson(3)"), HasSubstr("counts"));
  EXPECT_THAT(told("nromal(0, 1)"), HasSubstr("did you mean 'normal'?"));
  EXPECT_THAT(told("mixture([0.5, 0.5], normal(0, 1), normal(1, 1))"), HasSubstr("cannot be a prior"));
  EXPECT_THAT(told("ordered(normal(2 * a, 1))", "b[2]"), HasSubstr("no expressions"));
  EXPECT_THAT(told("multivariate-normal(0, 1)", "b[2]"), HasSubstr("takes vectors"));
  EXPECT_THAT(told("normal([0, 1], 1)", "b[3]"), HasSubstr("'b' has 3 entries, but its prior has 2"));
}

}  // namespace
}  // namespace evident::formula
