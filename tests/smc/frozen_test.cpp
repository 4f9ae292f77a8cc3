#include "evident/smc/sampler.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "evident/base/error.hpp"
#include "evident/evidence/estimate.hpp"
#include "problems/problems.hpp"
#include "support/mean_error.hpp"

namespace evident {
namespace {

Context context(const Executor& executor, std::uint64_t seed) { return {Streams({.seed = seed}), executor}; }

/// Z-hat / Z of so many frozen runs.
std::vector<double> ratios(const problems::Problem& problem, const FrozenPlan& plan, const SmcOptions& options,
                           std::size_t runs, std::uint64_t seed) {
  const Executor executor(2);
  std::vector<double> out(runs);
  executor.for_each(runs, [&](std::size_t r) {
    const Executor alone(1);
    const Context island{Streams({.seed = seed}).part(r), alone};
    const auto run = frozen_evidence(*problem.model, plan, options, island);
    out[r] = std::exp(standard_estimate(run.trace) - problem.log_evidence);
  });
  return out;
}

struct Case {
  const char* name;
  problems::Problem problem;
  SmcOptions options;
};

// Small and bad on purpose: an unbiased estimate is so with few particles and few moves, too.
std::vector<Case> cases() {
  const auto normal = problems::conjugate_normal(10, 3);
  const CessSchedule coarse{0.8};
  return {
      {"random walk", normal, {.particles = 64, .schedule = coarse, .kernel = {.passes = 2}}},
      {"tried scales", normal, {.particles = 128, .schedule = coarse, .kernel = {.scale_rule = ScaleRule::jump}}},
      {"langevin", normal, {.particles = 64, .schedule = coarse, .kernel = {.kind = KernelKind::mala, .passes = 1}}},
      {"crank-nicolson",
       normal,
       {.particles = 64, .schedule = coarse, .kernel = {.kind = KernelKind::crank_nicolson, .passes = 1}}},
      {"hamiltonian", normal, {.particles = 64, .schedule = coarse, .kernel = {.kind = KernelKind::hmc, .passes = 1}}},
      {"independent",
       normal,
       {.particles = 128, .schedule = coarse, .kernel = {.kind = KernelKind::independent, .passes = 1}}},
      {"until mixed",
       problems::correlated_gaussian(),
       {.particles = 128,
        .schedule = coarse,
        .kernel = {.kind = KernelKind::crank_nicolson, .until_mixed = UntilMixed{0.5, 0.7, 1, 20}}}},
      {"one at a time",
       problems::beta_bernoulli(1, 1),
       {.particles = 64, .schedule = coarse, .kernel = {.grouping = Grouping::single, .passes = 2}}},
  };
}

class Unbiased : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Cases, Unbiased, testing::Range(std::size_t{0}, std::size_t{8}));

TEST_P(Unbiased, MeanOfTheEvidences) {
  const Case c = cases()[GetParam()];
  const Executor executor(1);
  const PilotRun first = pilot(*c.problem.model, c.options, context(executor, 11));
  const auto z = ratios(c.problem, first.plan, c.options, 400, 12);
  expect_mean(z, 1, c.name);
  EXPECT_LT(mean_error(z).standard_error, 0.06) << c.name;
}

// The plan need not be good, or be made with as many particles, for the estimate to be unbiased.
TEST(Frozen, PlanServesAnyNumberOfParticles) {
  const auto problem = problems::conjugate_normal(10, 2);
  const SmcOptions few{.particles = 100, .schedule = CessSchedule{0.7}, .kernel = {.passes = 2}};
  const Executor executor(1);
  const FrozenPlan plan = pilot(*problem.model, few, context(executor, 3)).plan;
  SmcOptions more = few;
  more.particles = 333;
  expect_mean(ratios(problem, plan, more, 200, 4), 1, "333 particles with the plan of 100");
}

TEST(Frozen, HigherDimensions) {
  const auto problem = problems::narrow_gaussian(20);
  EXPECT_NEAR(problem.log_evidence, -28.3793, 1e-4);
  SmcOptions options = frozen_defaults();
  options.particles = 400;
  const Executor executor(2);
  const FrozenPlan plan = pilot(*problem.model, options, context(executor, 21)).plan;
  expect_mean(ratios(problem, plan, options, 60, 22), 1, problem.name);
}

TEST(Frozen, PilotIsTheAdaptiveRun) {
  const auto problem = problems::conjugate_normal(5, 2);
  const SmcOptions options{.particles = 200, .schedule = CessSchedule{0.9}};
  const Executor executor(1);
  const PilotRun first = pilot(*problem.model, options, context(executor, 5));
  const auto direct = direct_evidence(*problem.model, options, context(executor, 5));
  EXPECT_EQ(standard_estimate(first.run.trace), standard_estimate(direct.trace));
  ASSERT_EQ(first.plan.alphas.size(), direct.trace.steps.size() - 1);
  ASSERT_EQ(first.plan.calibrations.size(), first.plan.alphas.size());
  for (std::size_t t = 0; t < first.plan.alphas.size(); ++t)
    EXPECT_EQ(first.plan.alphas[t], direct.trace.steps[t + 1].alpha);
  EXPECT_EQ(first.plan.alphas.back(), 1);
}

TEST(Frozen, FollowsThePlan) {
  const auto problem = problems::conjugate_normal(5, 2);
  const SmcOptions options{.particles = 200, .schedule = CessSchedule{0.9}, .kernel = {.until_mixed = UntilMixed{}}};
  const Executor executor(1);
  const PilotRun first = pilot(*problem.model, options, context(executor, 5));
  const auto run = frozen_evidence(*problem.model, first.plan, options, context(executor, 5));
  ASSERT_EQ(run.trace.steps.size(), first.run.trace.steps.size());
  for (std::size_t t = 1; t < run.trace.steps.size(); ++t) {
    EXPECT_EQ(run.trace.steps[t].alpha, first.run.trace.steps[t].alpha);
    EXPECT_EQ(run.trace.steps[t].passes, first.run.trace.steps[t].passes);
    EXPECT_EQ(run.trace.steps[t].passes, first.plan.calibrations[t - 1].passes);
    EXPECT_EQ(run.trace.steps[t].evaluations, run.trace.steps[t].passes * 200);
  }
  // Given the same context, the pilot's random numbers are not used again.
  EXPECT_NE(run.trace.steps[0].mean, first.run.trace.steps[0].mean);
}

TEST(Frozen, SameBitsForAnyNumberOfThreads) {
  const auto problem = problems::correlated_gaussian();
  SmcOptions options = frozen_defaults();
  options.particles = 500;
  std::vector<double> reference;
  for (const unsigned threads : {1U, 2U, 5U}) {
    const Executor executor(threads);
    const PilotRun first = pilot(*problem.model, options, context(executor, 3));
    const auto run = frozen_evidence(*problem.model, first.plan, options, context(executor, 4));
    std::vector<double> all;
    for (const Trace& trace : {first.run.trace, run.trace})
      for (const Step& s : trace.steps)
        all.insert(all.end(), {s.alpha, s.log_ratio, s.mean, s.acceptance, s.jump, static_cast<double>(s.passes)});
    for (const Calibration& c : first.plan.calibrations)
      for (const auto& group : c.groups) {
        all.insert(all.end(), group.root.begin(), group.root.end());
        all.insert(all.end(), group.mean.begin(), group.mean.end());
        all.push_back(group.scale);
      }
    if (reference.empty()) reference = all;
    ASSERT_EQ(all.size(), reference.size());
    EXPECT_EQ(std::memcmp(all.data(), reference.data(), all.size() * sizeof(double)), 0) << threads << " threads";
  }
}

TEST(Frozen, IslandsHoldTheTruth) {
  const auto problem = problems::conjugate_normal(20, 3);
  const SmcOptions options{.particles = 200, .schedule = CessSchedule{0.9}};
  const Executor executor(1);
  const FrozenPlan plan = pilot(*problem.model, options, context(executor, 8)).plan;
  std::vector<double> z = ratios(problem, plan, options, 8, 9);
  for (double& v : z) v = std::log(v) + problem.log_evidence;
  const Estimate e = island_evidence(z);
  EXPECT_LT(e.interval().lower, problem.log_evidence);
  EXPECT_GT(e.interval().upper, problem.log_evidence);
  EXPECT_LT(e.standard_error, 0.1);
}

std::string refusal(const Model& model, const FrozenPlan& plan, const SmcOptions& options) {
  const Executor executor(1);
  try {
    frozen_evidence(model, plan, options, context(executor, 1));
  } catch (const InputError& e) {
    return e.what();
  }
  return "not refused";
}

TEST(Frozen, RefusesThePlanOfAnotherModel) {
  const auto two = problems::conjugate_normal(5, 2), three = problems::conjugate_normal(5, 3);
  const SmcOptions options{.particles = 100, .schedule = CessSchedule{0.9}};
  const Executor executor(1);
  const FrozenPlan plan = pilot(*two.model, options, context(executor, 1)).plan;
  EXPECT_EQ(refusal(*two.model, plan, options), "not refused");
  const std::string message = refusal(*three.model, plan, options);
  EXPECT_NE(message.find("2 coordinates"), std::string::npos) << message;
  EXPECT_NE(message.find("3"), std::string::npos) << message;

  SmcOptions single = options;
  single.kernel.grouping = Grouping::single;
  EXPECT_NE(refusal(*two.model, plan, single).find("groups"), std::string::npos);
  EXPECT_NE(refusal(*two.model, {}, options).find("no steps"), std::string::npos);
  FrozenPlan cut = plan;
  cut.calibrations.pop_back();
  EXPECT_NE(refusal(*two.model, cut, options).find("calibrations"), std::string::npos);
  FrozenPlan unfinished = plan;
  unfinished.alphas.pop_back();
  unfinished.calibrations.pop_back();
  EXPECT_NE(refusal(*two.model, unfinished, options).find("end with 1"), std::string::npos);
}

}  // namespace
}  // namespace evident
