#include "smc/relative_evidence.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "evident/base/error.hpp"
#include "evident/evidence/estimate.hpp"
#include "problems/sums.hpp"
#include "smc/relative_path.hpp"
#include "support/mean_error.hpp"

namespace evident {
namespace {

using problems::Sums;
using problems::sums_data;

void expect_exact(const Sums& family, const std::vector<ModelIndex>& chain, const SmcOptions& options) {
  const std::uint32_t seeds = 12;
  const std::size_t links = chain.size() - 1;
  std::vector<std::vector<double>> standard(links, std::vector<double>(seeds)), path = standard;
  std::vector<double> first(seeds);
  const Executor two(2);
  two.for_each(seeds, [&](std::size_t r) {
    const Executor alone(1);
    const Context context{Streams({.seed = 2016, .replicate = static_cast<std::uint32_t>(r)}), alone};
    const auto run = relative_evidence(family, chain, options, {}, context);
    first[r] = standard_estimate(run.first.trace);
    for (std::size_t l = 0; l < links; ++l) {
      standard[l][r] = run.links[l].log_ratio;
      path[l][r] = run.links[l].log_ratio_path;
    }
  });
  expect_mean(first, family.log_evidence(chain[0]), "first model");
  for (std::size_t l = 0; l < links; ++l) {
    const double exact = family.log_evidence(chain[l + 1]) - family.log_evidence(chain[l]);
    // The first step gives the new model a share without weights to correct it: 1 - CESS at most.
    const std::string what = "from " + std::to_string(chain[l]) + " to " + std::to_string(chain[l + 1]);
    expect_mean(standard[l], exact, what + ", standard", 0.01);
    expect_mean(path[l], exact, what + ", path", 0.01);
    EXPECT_LT(mean_error(standard[l]).standard_error, 0.05) << what;
  }
}

TEST(RelativeEvidence, ChainUp) {
  const Sums family(sums_data(), std::make_shared<CountPrior>(CountPrior::poisson(3)));
  expect_exact(family, {1, 2, 3, 4}, {.particles = 500, .schedule = CessSchedule{0.999}});
}

TEST(RelativeEvidence, ChainDown) {
  const Sums family(sums_data(), std::make_shared<CountPrior>(CountPrior::poisson(3)));
  expect_exact(family, {3, 2, 1}, {.particles = 500, .schedule = CessSchedule{0.999}});
}

TEST(RelativeEvidence, FixedSchedule) {
  const Sums family(sums_data(), std::make_shared<CountPrior>(CountPrior::poisson(3)));
  expect_exact(family, {1, 2}, {.particles = 500, .schedule = LinearSchedule{200}});
}

TEST(RelativeEvidence, FarApartModels) {
  // Ten observations near 20: two terms are better by 91 nats.
  std::vector<double> y;
  for (int i = 0; i < 10; ++i) y.push_back(20 + 0.3 * (i % 5));
  const Sums family(y, std::make_shared<CountPrior>(CountPrior::poisson(3)));
  expect_exact(family, {1, 2}, {.particles = 500, .schedule = CessSchedule{0.999}});
}

TEST(RelativeEvidence, PathIntegralIsExactForExactShares) {
  for (const double log_ratio : {-3.0, 0.0, 0.7, 25.0}) {
    std::vector<double> log_odds, share;
    for (double eta = -log_ratio - 7; eta <= -log_ratio + 7; eta += 0.01) {
      log_odds.push_back(eta);
      share.push_back(1 / (1 + std::exp(-eta - log_ratio)));
    }
    EXPECT_NEAR(path_sampling_of_pair(log_odds, share), log_ratio, 1e-4) << log_ratio;
  }
}

TEST(RelativeEvidence, ScheduleKeepsTheConditionalEss) {
  const double next = next_log_odds(CessSchedule{0.999}, 0.0, 0.4, 5), r = std::exp(next);
  EXPECT_NEAR(std::pow(0.6 + 0.4 * r, 2) / (0.6 + 0.4 * r * r), 0.999, 1e-9);
  EXPECT_EQ(next_log_odds(CessSchedule{0.999}, 9.0, 0.9995, 5), kInf);
  EXPECT_NEAR(next_log_odds(LinearSchedule{4}, -kInf, 0, 1), std::log(0.25 / 0.75), 1e-12);
}

TEST(RelativeEvidence, ModelsWithoutAJumpAreNamed) {
  const Sums family(sums_data(), std::make_shared<CountPrior>(CountPrior::poisson(3)));
  const Executor executor(1);
  const std::vector<ModelIndex> chain = {1, 3};
  try {
    relative_evidence(family, chain, {.particles = 50, .schedule = CessSchedule{0.9}}, {},
                      {Streams({.seed = 1}), executor});
    FAIL() << "there is no jump from 1 to 3";
  } catch (const RunError& e) {
    EXPECT_NE(std::string(e.what()).find("from 1 terms to 3 terms"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace evident
