#include "models/regression/regression_family.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "models/regression/simulate.hpp"

namespace evident {
namespace {

TEST(InclusionPrior, AddsUpToOneAndDrawsAsItSays) {
  const InclusionPrior prior(4, 0.3);
  double total = 0;
  for (ModelIndex k = 0; k < 16; ++k) total += std::exp(prior.log_probability(k));
  EXPECT_NEAR(total, 1, 1e-14);
  EXPECT_NEAR(prior.log_probability(0b0101), 2 * std::log(0.3) + 2 * std::log(0.7), 1e-14);
  EXPECT_FALSE(prior.has(16));
  Stream random = Streams({.seed = 2}).at({});
  constexpr double kDraws = 20000;
  std::map<ModelIndex, double> seen;
  for (int i = 0; i < kDraws; ++i) ++seen[prior.draw(random)];
  for (ModelIndex k = 0; k < 16; ++k) {
    const double p = std::exp(prior.log_probability(k));
    EXPECT_NEAR(seen[k], kDraws * p, 4.5 * std::sqrt(kDraws * p * (1 - p)));
  }
  EXPECT_TRUE(InclusionPrior(60).has((ModelIndex{1} << 60) - 1));
  EXPECT_THROW(InclusionPrior(61), InputError);
  EXPECT_THROW(InclusionPrior(3, 0), InputError);
  EXPECT_THROW(InclusionPrior(3, 1), InputError);
}

TEST(RegressionFamily, NamesAndModels) {
  const auto table = simulate_regression({}, 60, Streams({.seed = 1}));
  const auto data = std::make_shared<const RegressionData>(table.y, table.columns, table.names);
  const RegressionFamily family(data, {});
  EXPECT_EQ(family.name(0), "intercept only");
  EXPECT_EQ(family.name(0b101), "x1 + x3");
  EXPECT_EQ(family.model(0b101).parameters().size(), 4u);
  EXPECT_EQ(&family.model(0b101), &family.model(0b101));
  EXPECT_NEAR(family.prior().log_probability(3), -5 * std::log(2.0), 1e-14);
  EXPECT_THROW(family.model(32), InputError);
  EXPECT_THROW(RegressionFamily(data, {.precision_rate = 0}), InputError);
}

/// The simulator's defaults leave real doubt about the subset, which makes it an example worth sampling.
TEST(RegressionFamily, SeveralSubsetsShareThePosterior) {
  const auto table = simulate_regression({}, 60, Streams({.seed = 1}));
  const RegressionFamily family(std::make_shared<const RegressionData>(table.y, table.columns, table.names), {});
  std::vector<double> log_evidence;
  for (ModelIndex k = 0; k < 32; ++k) log_evidence.push_back(family.regression(k).exact_log_evidence());
  const double total = log_sum_exp(log_evidence);
  std::sort(log_evidence.rbegin(), log_evidence.rend());
  EXPECT_LT(std::exp(log_evidence[0] - total), 0.8);
  EXPECT_GT(std::exp(log_evidence[2] - total), 0.05);
}

}  // namespace
}  // namespace evident
