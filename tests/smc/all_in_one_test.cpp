#include "smc/all_in_one.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "evident/evidence/estimate.hpp"
#include "problems/sums.hpp"
#include "support/mean_error.hpp"

namespace evident {
namespace {

using problems::Sums;
using problems::sums_data;

TEST(AllInOne, ExactModelProbabilitiesAndEvidences) {
  const Sums family(sums_data(), std::make_shared<CountPrior>(CountPrior::geometric(0.3)));
  const std::vector<double> exact = family.probabilities(80);
  const std::uint32_t seeds = 12;
  std::vector<std::vector<double>> shares(6, std::vector<double>(seeds)), evidences = shares;
  const Executor two(2);
  two.for_each(seeds, [&](std::size_t r) {
    const Executor alone(1);
    const Context context{Streams({.seed = 2016, .replicate = static_cast<std::uint32_t>(r)}), alone};
    const auto run = all_in_one(family, {.particles = 1000, .schedule = CessSchedule{0.99}}, {}, context);
    for (ModelIndex k = 1; k <= 6; ++k) {
      shares[k - 1][r] = run.particles.share(k);
      evidences[k - 1][r] = run.log_evidence(family, k);
    }
  });
  for (ModelIndex k = 1; k <= 6; ++k) {
    expect_mean(shares[k - 1], exact[k - 1], "share of model " + std::to_string(k));
    expect_mean(evidences[k - 1], family.log_evidence(k), "evidence of model " + std::to_string(k), 0.01);
  }
}

TEST(AllInOne, SupportAndJumpsAreReported) {
  const Sums family(sums_data(), std::make_shared<CountPrior>(CountPrior::uniform(1, 3)));
  const Executor executor(1);
  const auto run = all_in_one(family, {.particles = 300, .schedule = CessSchedule{0.99}}, {.jump_passes = 2},
                              {Streams({.seed = 1}), executor});
  std::size_t particles = 0;
  for (ModelIndex k = 1; k <= 3; ++k) particles += run.particles.count(k);
  EXPECT_EQ(particles, 300U);
  EXPECT_EQ(run.particles.count(4), 0U);
  EXPECT_EQ(run.log_evidence(family, 4), -kInf);
  ASSERT_EQ(run.jumps.size(), 2U);
  EXPECT_EQ(run.jumps[0].name, "share");
  for (const JumpTally& j : run.jumps) {
    EXPECT_EQ(j.proposed, 300 * 2 * (run.trace.steps.size() - 1));
    EXPECT_GT(j.accepted, j.proposed / 20);
  }
}

TEST(AllInOne, ThreadsDoNotMatter) {
  const Sums family(sums_data(), std::make_shared<CountPrior>(CountPrior::poisson(3)));
  std::vector<double> results;
  for (const unsigned threads : {1U, 2U, 3U, 7U}) {
    const Executor executor(threads);
    const auto run =
        all_in_one(family, {.particles = 200, .schedule = CessSchedule{0.97}}, {}, {Streams({.seed = 9}), executor});
    results.push_back(standard_estimate(run.trace) + run.particles.share(2));
  }
  for (const double r : results) EXPECT_EQ(r, results[0]);
}

}  // namespace
}  // namespace evident
