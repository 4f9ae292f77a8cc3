// The model: parameters, priors, options and data; the simulator.
#include "models/goodwin/goodwin.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/numeric/odeint.hpp>
#include <fstream>

#include "evident/base/error.hpp"
#include "models/goodwin/problems.hpp"
#include "support/data_path.hpp"

namespace evident {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Goodwin, NamesItsParameters) {
  EXPECT_THAT(Goodwin(test::typical_data(3)).parameters().names(), ElementsAre("a0", "a1", "a2", "k1", "k2"));
  const Goodwin five(test::typical_data(3), {.components = 5});
  EXPECT_THAT(five.parameters().names(), ElementsAre("a0", "a1", "a2", "k1", "k2", "k3", "k4"));
  EXPECT_EQ(five.parameters().free_size(), 7U);
}

TEST(Goodwin, HasGammaPriorsUnlessToldOtherwise) {
  const GoodwinData data = test::typical_data(3);
  const Goodwin model(data);
  BlockStorage theta(5, 1);
  double expected = 0;
  for (std::size_t j = 0; j < 5; ++j) {
    theta(j, 0) = 0.3 + static_cast<double>(j);
    expected += gamma_rate(0.1, 0.1).log_density(theta(j, 0));
  }
  std::vector<double> out(1);
  model.log_prior(theta, out);
  EXPECT_NEAR(out[0], expected, 1e-12 * std::abs(expected));

  GoodwinOptions options;
  options.priors = {exponential(2.0)};
  Goodwin(data, options).log_prior(theta, out);
  EXPECT_NEAR(out[0], 5 * std::log(2.0) - 2 * 11.5, 1e-12 * 30);
  options.priors.assign(4, exponential(2.0));
  EXPECT_THROW(Goodwin(data, options), InputError);
}

TEST(Goodwin, PriorDrawsStayOnTheLogScale) {
  const Goodwin model(test::typical_data(5), {.components = 5});
  constexpr std::size_t n = 4096;
  BlockStorage theta(7, n), z(7, n);
  model.draw_prior(Streams({.seed = 8}), 0, theta);
  model.parameters().unconstrain(theta, z);
  for (std::size_t j = 0; j < 7; ++j)
    for (const double x : z.row(j)) ASSERT_TRUE(std::isfinite(x));
  std::vector<double> out(n);
  model.log_likelihood(theta, out);
  for (const double x : out) ASSERT_FALSE(std::isnan(x));
}

TEST(Goodwin, RefusesBadInput) {
  const auto message = [](GoodwinData data, GoodwinOptions options) -> std::string {
    try {
      Goodwin model(data, options);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  const GoodwinData good{.times = {1, 2}, .states = {0, 1}, .values = {{1, 2}, {3, 4}}};
  EXPECT_EQ(message(good, {}), "accepted");
  EXPECT_THAT(message(good, {.components = 1}), HasSubstr("components"));
  EXPECT_THAT(message(good, {.rho = 0}), HasSubstr("rho"));
  EXPECT_THAT(message(good, {.sigma = -1}), HasSubstr("sigma"));
  GoodwinData bad = good;
  bad.times = {2, 1};
  EXPECT_THAT(message(bad, {}), HasSubstr("increasing"));
  bad = good;
  bad.states = {0, 3};
  EXPECT_THAT(message(bad, {}), HasSubstr("x4"));
  bad = good;
  bad.values[1].pop_back();
  EXPECT_THAT(message(bad, {}), HasSubstr("column 2 has 1 values for 2 times"));
  bad = good;
  bad.values[0][0] = kNaN;
  EXPECT_THAT(message(bad, {}), HasSubstr("finite"));
}

TEST(GoodwinSimulation, AgreesWithAnotherSolver) {
  using State = std::vector<double>;
  GoodwinSimulation s = test::typical(5);
  s.times = {3, 11, 30};
  const auto states = goodwin_trajectory(s);
  const auto& p = s.theta;
  State x(5, 0.0);
  std::size_t row = 0;
  std::vector<double> times{0, 3, 11, 30};
  boost::numeric::odeint::bulirsch_stoer<State> stepper(1e-11, 1e-11);
  boost::numeric::odeint::integrate_times(
      stepper,
      [&](const State& y, State& dy, double) {
        dy[0] = p[1] / (1 + p[2] * std::pow(y[4], 10)) - p[0] * y[0];
        for (std::size_t i = 1; i < 5; ++i) dy[i] = p[2 + i] * y[i - 1] - p[0] * y[i];
      },
      x, times.begin(), times.end(), 0.01,
      [&](const State& y, double) {
        if (row > 0) {
          for (std::size_t i = 0; i < 5; ++i)
            EXPECT_NEAR(states[row - 1][i], y[i], 1e-8 * (1 + y[i])) << row << ' ' << i;
        }
        ++row;
      });
  EXPECT_EQ(row, 4U);
}

TEST(GoodwinSimulation, IsTheSameForTheSameSeedAndHasTheRightNoise) {
  GoodwinSimulation s = test::typical(3);
  s.times = test::every_half(0.5, 500);
  const GoodwinData one = simulate_goodwin(s, Streams({.seed = 1}));
  EXPECT_EQ(one.values, simulate_goodwin(s, Streams({.seed = 1})).values);
  EXPECT_NE(one.values, simulate_goodwin(s, Streams({.seed = 2})).values);
  const auto truth = goodwin_trajectory(s);
  double sum = 0, count = 0;
  for (std::size_t c = 0; c < 2; ++c)
    for (std::size_t j = 0; j < s.times.size(); ++j, ++count) sum += std::pow(one.values[c][j] - truth[j][c], 2);
  // The variance of a mean of n squared normals is 2 sigma^4 / n.
  EXPECT_NEAR(sum / count, 0.04, 4 * 0.04 * std::sqrt(2 / count));
  s.theta[0] = -1;
  EXPECT_THROW(simulate_goodwin(s, Streams({.seed = 1})), InputError);
}

TEST(Goodwin, KnowsTheBestFitOfThePublishedData) {
  const auto path = test::shared_data("goodwin/simple.csv");
  if (!path) GTEST_SKIP() << "no reference data; set EVIDENT_DATA to their folder";
  GoodwinData data;
  data.values.resize(2);
  std::ifstream file(*path);
  std::string line;
  std::getline(file, line);
  double t = 0, x1 = 0, x2 = 0;
  for (char comma = 0; file >> t >> comma >> x1 >> comma >> x2;) {
    data.times.push_back(t);
    data.values[0].push_back(x1);
    data.values[1].push_back(x2);
  }
  ASSERT_EQ(data.times.size(), 80U);
  const Goodwin model(data);
  const std::vector<double> best{0.52856824, 2.00908731, 0.03808542, 1.46693109, 0.1924284};
  std::vector<double> out(1);
  const BlockStorage theta = test::as_block({best});
  model.log_likelihood(theta, out);
  EXPECT_NEAR(out[0], 20.4401, 2e-4);
}

}  // namespace
}  // namespace evident
