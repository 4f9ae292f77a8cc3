#include "smc/waste_free.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "evidence/variance.hpp"
#include "evident/base/error.hpp"
#include "evident/evidence/estimate.hpp"
#include "evident/smc/sampler.hpp"
#include "problems/problems.hpp"
#include "problems/subsets.hpp"
#include "smc/all_in_one.hpp"
#include "smc/data_tempering.hpp"
#include "smc/relative_evidence.hpp"
#include "support/mean_error.hpp"

namespace evident {
namespace {

template <class One>
std::vector<double> repeat(std::size_t runs, std::uint64_t seed, const One& one) {
  const Executor executor(2);
  std::vector<double> out(runs);
  executor.for_each(runs, [&](std::size_t r) {
    const Executor alone(1);
    out[r] = one(Context{Streams({.seed = seed}).part(r), alone});
  });
  return out;
}

struct Case {
  const char* name;
  problems::Problem problem;
  SmcOptions options;
};

// Small and bad on purpose: an unbiased estimate is so with few chains that hardly move, too.
std::vector<Case> cases() {
  const auto normal = problems::conjugate_normal(10, 3);
  const CessSchedule coarse{0.8};
  return {{"random walk", normal, {.particles = 160, .schedule = coarse, .kernel = {.passes = 1}, .waste_free = 8}},
          {"two passes between states",
           normal,
           {.particles = 120, .schedule = coarse, .kernel = {.passes = 2}, .waste_free = 3}},
          {"crank-nicolson",
           problems::correlated_gaussian(),
           {.particles = 160,
            .schedule = coarse,
            .kernel = {.kind = KernelKind::crank_nicolson, .scale_rule = ScaleRule::jump, .passes = 1},
            .waste_free = 4}},
          {"multinomial",
           problems::beta_bernoulli(1, 1),
           {.particles = 100,
            .schedule = coarse,
            .resample = ResampleScheme::multinomial,
            .kernel = {.passes = 1},
            .waste_free = 50}}};
}

class WasteFreeUnbiased : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Cases, WasteFreeUnbiased, testing::Range(std::size_t{0}, std::size_t{4}));

TEST_P(WasteFreeUnbiased, MeanOfTheFrozenEvidences) {
  const Case c = cases()[GetParam()];
  const Executor executor(1);
  const FrozenPlan plan = pilot(*c.problem.model, c.options, {Streams({.seed = 11}), executor}).plan;
  const auto z = repeat(400, 12, [&](const Context& context) {
    const auto run = frozen_evidence(*c.problem.model, plan, c.options, context);
    return std::exp(standard_estimate(run.trace) - c.problem.log_evidence);
  });
  expect_mean(z, 1, c.name);
  EXPECT_LT(mean_error(z).standard_error, 0.06) << c.name;
}

TEST(WasteFree, ExactEvidenceOfAdaptiveRuns) {
  const auto problem = problems::narrow_gaussian(10);
  const SmcOptions options{.particles = 2000,
                           .schedule = CessSchedule{0.9},
                           .kernel = {.kind = KernelKind::crank_nicolson, .passes = 1},
                           .waste_free = 10};
  const auto l = repeat(12, 3, [&](const Context& context) {
    return standard_estimate(direct_evidence(*problem.model, options, context).trace);
  });
  // Half the variance is the bias of a logarithm.
  const MeanError m = mean_error(l);
  expect_mean(l, problem.log_evidence - 0.5 * m.sd * m.sd, problem.name);
  EXPECT_LT(m.sd, 0.3);
}

TEST(WasteFree, VarianceOfTheChainsIsThatOfTheRuns) {
  const auto problem = problems::conjugate_normal(20, 3);
  const SmcOptions options{.particles = 1000, .schedule = CessSchedule{0.9}, .kernel = {.passes = 1}, .waste_free = 20};
  const Executor executor(1);
  const FrozenPlan plan = pilot(*problem.model, options, {Streams({.seed = 1}), executor}).plan;
  constexpr std::size_t kRuns = 100;
  std::vector<double> told(kRuns);
  std::vector<double> l(kRuns);
  const Executor two(2);
  two.for_each(kRuns, [&](std::size_t r) {
    const Executor alone(1);
    const auto run = frozen_evidence(*problem.model, plan, options, {Streams({.seed = 2}).part(r), alone});
    l[r] = standard_estimate(run.trace);
    const EvidenceVariance v = evidence_variance(run.trace);
    told[r] = v.chains;
    EXPECT_EQ(v.standard_error(), std::sqrt(std::log1p(v.chains)));
  });
  const double truth = mean_error(l).sd * mean_error(l).sd;
  // A variance of 100 runs is known to 14 %.
  EXPECT_GT(mean_error(told).mean / truth, 1 - 3 * 0.14);
  EXPECT_LT(mean_error(told).mean / truth, 1 / (1 - 3 * 0.14));
}

TEST(WasteFree, BetweenChainsIsTheVarianceOfAMean) {
  const std::vector<double> chain_means = {1, 2, 5, 0.5, 3};
  std::vector<double> weights;
  double total = 0;
  for (const double m : chain_means) total += m;
  for (const double m : chain_means)  // two states each, of unequal weight
    for (const double part : {0.25, 0.75}) weights.push_back(part * m / total);
  double squares = 0;
  for (const double m : chain_means) squares += std::pow(m - total / 5, 2) / 4;
  EXPECT_NEAR(between_chains(weights, 2), squares / 5 / std::pow(total / 5, 2), 1e-14);
}

TEST(WasteFree, KeepsEveryState) {
  const auto problem = problems::conjugate_normal(5, 2);
  const SmcOptions options{.particles = 300, .schedule = CessSchedule{0.9}, .kernel = {.passes = 3}, .waste_free = 6};
  const Executor executor(1);
  const auto run = direct_evidence(*problem.model, options, {Streams({.seed = 4}), executor});
  EXPECT_EQ(run.particles.size(), 300U);
  EXPECT_EQ(run.particles.chain, 6U);
  for (std::size_t t = 1; t < run.trace.steps.size(); ++t) {
    EXPECT_TRUE(run.trace.steps[t].resampled);
    EXPECT_EQ(run.trace.steps[t].passes, 5U * 3U);
    EXPECT_EQ(run.trace.steps[t].evaluations, 50U * 5U * 3U);
    EXPECT_GT(run.trace.steps[t].chains, 0);
  }
  // Neighbours are states of one chain: they are alike, and nearly all moved.
  std::size_t moved = 0;
  double within = 0, all = 0;
  const auto z = run.particles.z.row(0);
  for (std::size_t i = 1; i < z.size(); ++i) {
    if (i % 6 == 0) continue;
    moved += z[i] != z[i - 1] ? 1 : 0;
    within += std::pow(z[i] - z[i - 1], 2);
    all += std::pow(z[i] - z[(i + 150) % 300], 2);
  }
  EXPECT_GT(moved, 150U);
  EXPECT_LT(within, 0.8 * all);
}

TEST(WasteFree, SameBitsForAnyNumberOfThreads) {
  const auto problem = problems::correlated_gaussian();
  const SmcOptions options{.particles = 3000,
                           .schedule = CessSchedule{0.8},
                           .kernel = {.kind = KernelKind::crank_nicolson, .scale_rule = ScaleRule::jump, .passes = 1},
                           .waste_free = 10};
  std::vector<double> reference;
  for (const unsigned threads : {1U, 2U, 5U}) {
    const Executor executor(threads);
    const PilotRun first = pilot(*problem.model, options, {Streams({.seed = 3}), executor});
    const auto run = frozen_evidence(*problem.model, first.plan, options, {Streams({.seed = 4}), executor});
    std::vector<double> all;
    for (const Trace& trace : {first.run.trace, run.trace})
      for (const Step& s : trace.steps)
        all.insert(all.end(), {s.alpha, s.log_ratio, s.mean, s.acceptance, s.jump, s.chains});
    if (reference.empty()) reference = all;
    ASSERT_EQ(all.size(), reference.size());
    EXPECT_EQ(std::memcmp(all.data(), reference.data(), all.size() * sizeof(double)), 0) << threads << " threads";
  }
}

TEST(WasteFree, DataTemperingIsUnbiasedEnough) {
  const auto problem = problems::conjugate_normal(10, 2);
  const SmcOptions options{.particles = 500, .schedule = CessSchedule{0.9}, .kernel = {.passes = 1}, .waste_free = 10};
  const auto l = repeat(
      40, 6, [&](const Context& context) { return data_tempering(*problem.model, options, context).log_evidence(); });
  const MeanError m = mean_error(l);
  expect_mean(l, problem.log_evidence - 0.5 * m.sd * m.sd, problem.name);
}

std::string refusal(const SmcOptions& options) {
  try {
    check(options);
  } catch (const InputError& e) {
    return e.what();
  }
  return "not refused";
}

TEST(WasteFree, RefusesWhatDoesNotFit) {
  EXPECT_EQ(refusal({.particles = 1000, .waste_free = 10}), "not refused");
  EXPECT_NE(refusal({.particles = 1000, .waste_free = 7}).find("divide"), std::string::npos);
  EXPECT_NE(refusal({.particles = 1000, .waste_free = 1}).find("at least 2"), std::string::npos);
  EXPECT_NE(refusal({.particles = 1000, .waste_free = 1000}).find("2 chains"), std::string::npos);
  EXPECT_NE(refusal({.kernel = {.until_mixed = UntilMixed{}}, .waste_free = 10}).find("until_mixed"),
            std::string::npos);
  const RegressionFamily family = problems::subsets();
  const Executor executor(1);
  const Context context{Streams({.seed = 1}), executor};
  const SmcOptions options{.particles = 100, .waste_free = 10};
  EXPECT_THROW(all_in_one(family, options, {}, context), InputError);
  const std::vector<ModelIndex> chain = {0, 1};
  EXPECT_THROW(relative_evidence(family, chain, options, {}, context), InputError);
}

}  // namespace
}  // namespace evident
