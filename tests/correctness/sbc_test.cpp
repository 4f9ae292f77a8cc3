// Calibration in small, with fixed seeds; bench/sbc.cpp does it at length.
#include "correctness/sbc.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "correctness/verdicts.hpp"

namespace evident::correctness {
namespace {

constexpr double kLevel = 0.01;  // by Holm, over all tests of a world and a sampler

using problems::World;

void expect_calibrated(const World& world, const std::string& sampler, std::size_t sets, std::uint64_t seed = 7) {
  const Executor executor(1);
  const Sampler found = find_sampler(sampler);
  ASSERT_TRUE(found.fits(world)) << world.name << ", " << sampler;
  const Calibrated c = calibrate(world, found, {.sets = sets, .seed = seed}, executor);
  EXPECT_FALSE(c.index.empty() && c.ranks.empty());
  const std::vector<double> adjusted = holm(c.p_values());
  for (std::size_t i = 0; i < c.ranks.size(); ++i)
    EXPECT_GT(adjusted[i], kLevel) << world.name << ", " << sampler << ": " << c.ranks[i].parameter
                                   << ", p = " << c.ranks[i].p_value;
  for (std::size_t m = 0; m < c.index.size(); ++m)
    for (std::size_t k = 0; k < 2; ++k)
      EXPECT_GT(adjusted[c.ranks.size() + 2 * m + k], kLevel)
          << world.name << ", " << sampler << ": " << c.index[m].model << ", prior " << c.index[m].prior
          << ", mean posterior " << c.index[m].mean << " +- " << c.index[m].error;
}

TEST(Sbc, AdaptiveRunOnMixtures) { expect_calibrated(problems::mixture_world(), "direct, adaptive", 64); }
TEST(Sbc, DataTemperingOnRegressions) { expect_calibrated(problems::regression_world(), "data-tempering", 100); }
TEST(Sbc, AllInOneOnRegressions) { expect_calibrated(problems::regression_world(), "all-in-one", 200, 1); }
TEST(Sbc, DataTemperingOnPet) { expect_calibrated(problems::pet_world(), "data-tempering", 64); }
TEST(Sbc, AdaptiveRunOnFormulas) { expect_calibrated(problems::formula_world(), "direct, adaptive", 48); }

/// The right world, but for a likelihood that takes the noise for less than it is.
World overconfident() {
  World world = problems::regression_world();
  for (auto& model : world.models)
    model.simulate = [given = model.given, blank = world.blank](const std::vector<double>& theta, const Streams& s) {
      std::vector<double> wilder = theta;
      wilder[0] /= 3;  // the precision
      return problems::observations(*given(blank), wilder, s, 0);
    };
  return world;
}

TEST(Sbc, SeesAModelThatIsTooSure) {
  const Executor executor(1);
  const Calibrated c = calibrate(overconfident(), find_sampler("data-tempering"), {.sets = 120, .seed = 7}, executor);
  EXPECT_LT(smallest_adjusted(c.p_values()), 1e-4);
}

TEST(UniformRanks, FollowTheirDistribution) {
  // p-values of uniform ranks are uniform themselves: few are small.
  const Streams streams({.seed = 3});
  std::size_t small = 0;
  constexpr std::size_t kTrials = 400;
  for (std::uint32_t trial = 0; trial < kTrials; ++trial) {
    Stream random = streams.at({.step = trial});
    std::vector<std::size_t> ranks(320);
    for (std::size_t& r : ranks) r = random.bits() % 32;
    const RankTest test = uniform_ranks(ranks, 32, 8);
    EXPECT_EQ(test.bins, 32U);
    small += test.p_value < 0.05 ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(small), 0.05 * kTrials, 3 * std::sqrt(0.05 * 0.95 * kTrials));
  std::vector<std::size_t> low(320);
  for (std::size_t i = 0; i < low.size(); ++i) low[i] = i % 24;
  EXPECT_LT(uniform_ranks(low, 32, 8).p_value, 1e-6);
  EXPECT_EQ(uniform_ranks(std::vector<std::size_t>(100, 3), 32, 8).bins, 8U) << "few ranks are pooled";
}

TEST(Thinned, TakesDrawsInProportionToTheirWeights) {
  const std::vector<double> weights = {0.5, 0, 0.25, 0.25};
  const Streams streams({.seed = 4});
  for (std::uint32_t trial = 0; trial < 20; ++trial) {
    Stream random = streams.at({.step = trial});
    std::vector<int> counts(4);
    for (const std::size_t i : thinned(weights, 8, random)) ++counts[i];
    EXPECT_EQ(counts, (std::vector<int>{4, 0, 2, 2}));
  }
}

TEST(Holm, AdjustsAsPublished) {
  const std::vector<double> adjusted = holm({0.01, 0.04, 0.03, 0.005});
  EXPECT_NEAR(adjusted[3], 0.02, 1e-15);
  EXPECT_NEAR(adjusted[0], 0.03, 1e-15);
  EXPECT_NEAR(adjusted[2], 0.06, 1e-15);
  EXPECT_NEAR(adjusted[1], 0.06, 1e-15) << "never below a smaller one's";
  EXPECT_EQ(smallest_adjusted({0.5, std::nan("")}), 0) << "what could not be tested is not passed";
  EXPECT_NEAR(normal_p_value(1.959963985), 0.05, 1e-9);
  EXPECT_NEAR(chi_squared_p_value(3.841458821, 1), 0.05, 1e-9);
}

}  // namespace
}  // namespace evident::correctness
