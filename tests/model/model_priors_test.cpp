#include "model/model_priors.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <vector>

#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"

namespace evident {
namespace {

/// Draws against probabilities, five standard errors wide, for every model that is to come up ten times or more.
void expect_draws_as_said(const ModelPrior& prior, ModelIndex highest, std::uint64_t seed) {
  Stream random = Streams({.seed = seed}).at({});
  constexpr int kDraws = 50000;
  std::map<ModelIndex, double> seen;
  for (int i = 0; i < kDraws; ++i) ++seen[prior.draw(random)];
  double total = 0;
  for (ModelIndex k = 0; k <= highest; ++k) {
    const double p = std::exp(prior.log_probability(k)), expected = kDraws * p;
    total += p;
    if (expected >= 10) {
      EXPECT_NEAR(seen[k], expected, 5 * std::sqrt(expected * (1 - p))) << k;
    }
  }
  EXPECT_NEAR(total, 1, 1e-10);
  for (const auto& [k, count] : seen) EXPECT_TRUE(prior.has(k)) << k << " came up " << count << " times";
}

TEST(ListedModels, WeightsAreNormalised) {
  const ListedModels prior({{2, 1.0}, {5, 3.0}, {9, 0.0}});
  EXPECT_NEAR(prior.log_probability(2), std::log(0.25), 1e-15);
  EXPECT_NEAR(prior.log_probability(5), std::log(0.75), 1e-15);
  EXPECT_FALSE(prior.has(9));
  EXPECT_FALSE(prior.has(3));
  expect_draws_as_said(prior, 10, 1);
  EXPECT_THROW(ListedModels({}), InputError);
  EXPECT_THROW(ListedModels({{1, 0.0}}), InputError);
  EXPECT_THROW(ListedModels({{1, -1.0}, {2, 2.0}}), InputError);
  EXPECT_THROW(ListedModels({{1, kNaN}}), InputError);
  EXPECT_THROW(ListedModels({{1, kInf}}), InputError);
}

TEST(CountPrior, Uniform) {
  const auto prior = CountPrior::uniform(2, 5);
  EXPECT_NEAR(prior.log_probability(2), -std::log(4.0), 1e-15);
  EXPECT_NEAR(prior.log_probability(5), -std::log(4.0), 1e-15);
  EXPECT_FALSE(prior.has(1));
  EXPECT_FALSE(prior.has(6));
  expect_draws_as_said(prior, 8, 2);
  EXPECT_THROW(CountPrior::uniform(0, 3), InputError);
  EXPECT_THROW(CountPrior::uniform(4, 3), InputError);
}

TEST(CountPrior, PoissonWithoutItsZero) {
  const auto prior = CountPrior::poisson(3);
  EXPECT_FALSE(prior.has(0));
  EXPECT_NEAR(prior.log_probability(2), std::log(4.5 * std::exp(-3) / (1 - std::exp(-3))), 1e-14);
  expect_draws_as_said(prior, 60, 3);
  expect_draws_as_said(CountPrior::poisson(0.01), 30, 4);
  expect_draws_as_said(CountPrior::poisson(40), 200, 5);
  EXPECT_THROW(CountPrior::poisson(0), InputError);
  EXPECT_THROW(CountPrior::poisson(kNaN), InputError);
}

TEST(CountPrior, Geometric) {
  const auto prior = CountPrior::geometric(0.2);
  EXPECT_FALSE(prior.has(0));
  EXPECT_NEAR(prior.log_probability(3), std::log(0.2 * 0.64), 1e-14);
  expect_draws_as_said(prior, 300, 6);
  EXPECT_THROW(CountPrior::geometric(0), InputError);
  EXPECT_THROW(CountPrior::geometric(1), InputError);
}

TEST(CountPrior, ParsesWhatItDocuments) {
  const auto same = [](std::string_view text, const CountPrior& expected) {
    const auto prior = CountPrior::parse(text);
    for (ModelIndex k = 0; k < 20; ++k) EXPECT_EQ(prior.log_probability(k), expected.log_probability(k)) << text;
  };
  same("uniform(1, 10)", CountPrior::uniform(1, 10));
  same(" uniform( lower = 2 ,upper=4 ) ", CountPrior::uniform(2, 4));
  same("poisson(3)", CountPrior::poisson(3));
  same("poisson(mean=2.5)", CountPrior::poisson(2.5));
  same("geometric(0.5)", CountPrior::geometric(0.5));
  same("geometric(p=0.25)", CountPrior::geometric(0.25));
}

TEST(CountPrior, RefusesAnythingElse) {
  for (const char* text : {"",
                           " ",
                           "uniform",
                           "uniform()",
                           "uniform(1)",
                           "uniform(1, 2",
                           "uniform(0, 3)",
                           "uniform(3, 2)",
                           "uniform(1.5, 3)",
                           "uniform(1, 2, 3)",
                           "uniform(1, inf)",
                           "uniform(nan, 2)",
                           "poisson()",
                           "poisson(-1)",
                           "poisson(p=3)",
                           "poisson(3)x",
                           "poisson(nan)",
                           "geometric(1)",
                           "geometric(mean=0.5)",
                           "normal(0, 1)",
                           "(3)",
                           ")",
                           "poisson(3x)"})
    EXPECT_THROW(CountPrior::parse(text), InputError) << '"' << text << '"';
}

}  // namespace
}  // namespace evident
