// Comparisons of models whose likelihood is zero on most of the prior.
#include <gtest/gtest.h>

#include <cmath>

#include "evident/base/error.hpp"
#include "evident/compare/compare.hpp"
#include "evident/model/model.hpp"
#include "evident/smc/sampler.hpp"
#include "problems/problems.hpp"
#include "support/mean_error.hpp"

namespace evident {
namespace {

ModelResult islands_of(const problems::Problem& problem, std::size_t particles, std::size_t max_prior_draws,
                       std::uint64_t seed) {
  CompareOptions o{.smc = frozen_defaults(), .seed = seed, .threads = 2, .islands = 8};
  o.smc->particles = particles;
  o.smc->max_prior_draws = max_prior_draws;
  return compare({{problem.name, 1, problem.model}}, o).models.front();
}

bool has_reason(const ModelResult& m, Alarm code) {
  return std::ranges::any_of(m.reasons, [&](const Reason& r) { return r.code == code && r.level > Verdict::trust; });
}

TEST(Impossible, AreTrustedAndRightOnSmallParts) {
  for (const double share : {1e-2, 1e-3, 1e-5}) {
    const auto problem = problems::possible_square(share);
    const ModelResult m = islands_of(problem, 400, 1'000'000, 1);
    EXPECT_NEAR(m.log_evidence.value, problem.log_evidence, 4 * m.log_evidence.standard_error) << share;
    EXPECT_NEAR(m.log_evidence_standard.value, problem.log_evidence, 4 * m.log_evidence_standard.standard_error);
    EXPECT_LT(m.log_evidence.standard_error, 0.05) << share;  // the bridge does not need the share
    EXPECT_EQ(*m.verdict, Verdict::trust) << share;
    EXPECT_NEAR(m.possible_share.value, share, 4 * m.possible_share.standard_error);
    EXPECT_LT(m.possible_share.standard_error, 0.15 * share);
  }
}

TEST(Impossible, TheShareIsUnknownWhereNoDrawIsImpossible) {
  const ModelResult m = islands_of(problems::conjugate_normal(10, 2), 200, 1'000'000, 1);
  EXPECT_TRUE(std::isnan(m.possible_share.value));
  for (const Replicate& r : m.replicates) EXPECT_EQ(r.trace.first.made, 200U);
}

// One possible draw an island, on average: some have none, and the mean of the others alone would be too high.
TEST(Impossible, IslandsWithoutPossibleDrawsCountAsZero) {
  const auto problem = problems::possible_square(1e-3);
  std::size_t empty = 0;
  std::vector<double> means;
  constexpr std::uint64_t kSeeds = 40;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    try {
      const ModelResult m = islands_of(problem, 100, 1000, seed);
      double mean = 0;
      for (const Replicate& r : m.replicates) {
        empty += r.log_evidence.value == -kInf ? 1 : 0;
        mean += std::exp(r.log_evidence.value - problem.log_evidence) / 8;
      }
      means.push_back(mean);
      if (m.possible_share.value > 0.002) continue;  // known to a quarter of itself, by chance
      EXPECT_TRUE(has_reason(m, Alarm::impossible_particles)) << seed;
      EXPECT_NE(*m.verdict, Verdict::trust) << seed;
      EXPECT_FALSE(std::isnan(m.log_evidence.value)) << seed;
    } catch (const RunError& e) {  // the pilot needs one
      EXPECT_NE(std::string(e.what()).find("raise max_prior_draws"), std::string::npos) << e.what();
    }
  }
  EXPECT_GT(empty, 8 * kSeeds / 4);
  EXPECT_GT(means.size(), kSeeds * 9 / 10);  // one pilot in fifty meets none in 4000 draws
  expect_mean(means, 1, "mean evidence of eight islands");
}

TEST(Impossible, EveryMethodThatDrawsFromThePriorIsRight) {
  const auto problem = problems::possible_square(0.01);
  for (const Method method : {Method::direct, Method::ais}) {
    const CompareOptions o{.method = method,
                           .smc = SmcOptions{.particles = 400, .schedule = CessSchedule{0.9}},
                           .threads = 2,
                           .replicates = 8,
                           .islands = 0};
    const ModelResult m = compare({{problem.name, 1, problem.model}}, o).models.front();
    EXPECT_NEAR(m.log_evidence.value, problem.log_evidence, 4 * m.log_evidence.standard_error);
    EXPECT_LT(m.log_evidence.standard_error, 0.05);
    EXPECT_NEAR(m.possible_share.value, 0.01, 4 * m.possible_share.standard_error);
  }
}

}  // namespace
}  // namespace evident
