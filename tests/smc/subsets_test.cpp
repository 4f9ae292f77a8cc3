// The short form of bench/model_spaces.cpp: 2^5 subsets of a regression, with exact answers.
#include <gtest/gtest.h>

#include "baseline/rjmcmc.hpp"
#include "problems/subsets.hpp"
#include "smc/all_in_one.hpp"
#include "smc/relative_evidence.hpp"
#include "support/mean_error.hpp"

namespace evident {
namespace {

constexpr std::uint32_t kSeeds = 10;

template <class Run>
void each_seed(std::uint64_t seed, const Run& run) {
  const Executor two(2);
  two.for_each(kSeeds, [&](std::size_t r) {
    const Executor alone(1);
    run(r, Context{Streams({.seed = seed, .replicate = static_cast<std::uint32_t>(r)}), alone});
  });
}

TEST(Subsets, AllInOne) {
  const RegressionFamily family = problems::subsets();
  const std::vector<double> exact = problems::subset_probabilities(family);
  std::vector<std::vector<double>> shares(32, std::vector<double>(kSeeds));
  each_seed(1, [&](std::size_t r, const Context& context) {
    const auto run = all_in_one(family, {.particles = 1000, .schedule = CessSchedule{0.99}}, {}, context);
    for (ModelIndex k = 0; k < 32; ++k) shares[k][r] = run.particles.share(k);
  });
  for (ModelIndex k = 0; k < 32; ++k)
    if (exact[k] > 0.02) expect_mean(shares[k], exact[k], family.name(k));
}

TEST(Subsets, Rjmcmc) {
  const RegressionFamily family = problems::subsets();
  const std::vector<double> exact = problems::subset_probabilities(family);
  std::vector<std::vector<double>> shares(32, std::vector<double>(kSeeds));
  each_seed(2, [&](std::size_t r, const Context& context) {
    const auto run = rjmcmc(family, {.chains = 8, .burn_in = 300, .iterations = 1500}, {}, context);
    for (const auto& [k, v] : run.visits) shares[k][r] = v.share.value;
  });
  for (ModelIndex k = 0; k < 32; ++k)
    if (exact[k] > 0.02) expect_mean(shares[k], exact[k], family.name(k));
}

TEST(Subsets, RelativeEvidenceOfNestedModels) {
  const RegressionFamily family = problems::subsets();
  const std::vector<ModelIndex> chain = {0, 1, 5, 13};
  std::vector<std::vector<double>> ratios(3, std::vector<double>(kSeeds)), paths = ratios;
  each_seed(3, [&](std::size_t r, const Context& context) {
    const auto run = relative_evidence(family, chain, {.particles = 500, .schedule = CessSchedule{0.999}}, {}, context);
    for (std::size_t l = 0; l < 3; ++l) {
      ratios[l][r] = run.links[l].log_ratio;
      paths[l][r] = run.links[l].log_ratio_path;
    }
  });
  for (std::size_t l = 0; l < 3; ++l) {
    const double exact =
        family.regression(chain[l + 1]).exact_log_evidence() - family.regression(chain[l]).exact_log_evidence();
    expect_mean(ratios[l], exact, family.name(chain[l + 1]), 0.01);
    expect_mean(paths[l], exact, family.name(chain[l + 1]) + ", path", 0.01);
  }
}

}  // namespace
}  // namespace evident
