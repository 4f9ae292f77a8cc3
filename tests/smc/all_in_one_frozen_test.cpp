// Frozen runs on a union of models: free of the bias of runs that fit their moves to their own particles.
#include <gtest/gtest.h>

#include <cmath>

#include "evident/base/error.hpp"
#include "evident/evidence/estimate.hpp"
#include "problems/subsets.hpp"
#include "problems/sums.hpp"
#include "smc/all_in_one.hpp"
#include "support/mean_error.hpp"

namespace evident {
namespace {

// Few particles in 32 models and many steps: each step fits its moves once more, and the bias is large.
SmcOptions many_fits() { return {.particles = 500, .schedule = CessSchedule{0.999}, .kernel = {.passes = 5}}; }

double log_evidence_of_union(const RegressionFamily& family) {
  std::vector<double> log_joint;
  for (ModelIndex k = 0; k < 32; ++k)
    log_joint.push_back(family.prior().log_probability(k) + family.regression(k).exact_log_evidence());
  return log_sum_exp(log_joint);
}

TEST(FrozenAllInOne, HasTheMeanThatAdaptiveRunsLack) {
  const RegressionFamily family = problems::subsets();
  const double exact = log_evidence_of_union(family);
  const std::vector<double> probability = problems::subset_probabilities(family);
  constexpr std::size_t kPlans = 2, kRuns = 6;
  std::vector<double> adaptive(kPlans * kRuns), frozen = adaptive;
  std::vector<std::vector<double>> joint(32, frozen);
  const Executor two(2);
  two.for_each(kPlans, [&](std::size_t p) {
    const Executor alone(1);
    const auto context = [&](std::size_t r) {
      return Context{Streams({.seed = 31, .replicate = static_cast<std::uint32_t>(p * kRuns + r)}), alone};
    };
    const AllInOnePilot first = all_in_one_pilot(family, many_fits(), {}, context(0));
    for (std::size_t r = 0; r < kRuns; ++r) {
      const std::size_t i = p * kRuns + r;
      adaptive[i] = std::exp(standard_estimate(all_in_one(family, many_fits(), {}, context(r)).trace) - exact);
      const AllInOneRun run = frozen_all_in_one(family, first.plan, many_fits(), {}, context(r));
      frozen[i] = std::exp(standard_estimate(run.trace) - exact);
      for (ModelIndex k = 0; k < 32; ++k) joint[k][i] = frozen[i] * run.particles.share(k);
    }
  });
  expect_mean(frozen, 1, "evidence of the union");
  for (ModelIndex k = 0; k < 32; ++k)
    if (probability[k] > 0.02) expect_mean(joint[k], probability[k], family.name(k));
  const MeanError biased = mean_error(adaptive);
  EXPECT_GT(biased.mean, 1 + 4 * biased.standard_error) << "or this problem shows nothing";
}

problems::Sums sums() { return {problems::sums_data(), std::make_shared<CountPrior>(CountPrior::uniform(1, 5))}; }

SmcOptions few_steps() { return {.particles = 300, .schedule = CessSchedule{0.97}}; }

std::vector<double> everything(const AllInOneRun& run) {
  std::vector<double> out = {standard_estimate(run.trace)};
  for (const UnionPopulation::Member& m : run.particles.members)
    out.insert(out.end(), m.x.log_likelihood.begin(), m.x.log_likelihood.end());
  return out;
}

TEST(FrozenAllInOne, WritingAPlanChangesNothing) {
  const problems::Sums family = sums();
  const Executor one(1);
  const Context context{Streams({.seed = 4}), one};
  const AllInOnePilot first = all_in_one_pilot(family, few_steps(), {}, context);
  EXPECT_EQ(everything(first.run), everything(all_in_one(family, few_steps(), {}, context)));
  EXPECT_EQ(first.plan.alphas.size(), first.run.trace.steps.size() - 1);
  EXPECT_EQ(first.plan.alphas.back(), 1);
  for (const auto& [k, model] : first.plan.models) EXPECT_EQ(model.steps.size(), model.calibrations.size()) << k;
}

TEST(FrozenAllInOne, ThreadsDoNotMatterAndTheRunIsNotThePilot) {
  const problems::Sums family = sums();
  const Executor one(1);
  const AllInOnePilot first = all_in_one_pilot(family, few_steps(), {}, {Streams({.seed = 4}), one});
  std::vector<double> reference;
  for (const unsigned threads : {1U, 2U, 3U}) {
    const Executor executor(threads);
    const auto run = frozen_all_in_one(family, first.plan, few_steps(), {}, {Streams({.seed = 4}), executor});
    if (reference.empty()) reference = everything(run);
    EXPECT_EQ(everything(run), reference) << threads;
  }
  EXPECT_NE(reference, everything(first.run));
}

TEST(FrozenAllInOne, TheNearestStepOfThePlanCounts) {
  UnionPlan plan;
  plan.models[3].steps = {2, 6, 7};
  for (const double scale : {2.0, 6.0, 7.0}) {
    Calibration& one = plan.models[3].calibrations.emplace_back();
    one.groups.resize(1);
    one.groups[0].scale = scale;
  }
  const auto scale_at = [&](std::uint64_t step) { return plan.at(3, step)->groups[0].scale; };
  EXPECT_EQ(scale_at(1), 2);
  EXPECT_EQ(scale_at(2), 2);
  EXPECT_EQ(scale_at(4), 2) << "the earlier of two";
  EXPECT_EQ(scale_at(5), 6);
  EXPECT_EQ(scale_at(7), 7);
  EXPECT_EQ(scale_at(90), 7);
  EXPECT_EQ(plan.at(4, 1), nullptr);
}

// What is not in the plan is moved as its prior says, and that gives the same means.
TEST(FrozenAllInOne, ModelsThatThePilotDidNotMeet) {
  const problems::Sums family = sums();
  const std::vector<double> exact = family.probabilities(5);
  const Executor one(1);
  AllInOnePilot first = all_in_one_pilot(family, few_steps(), {}, {Streams({.seed = 4}), one});
  first.plan.models.erase(1);
  first.plan.models.erase(2);
  constexpr std::size_t kRuns = 16;
  std::vector<std::vector<double>> joint(2, std::vector<double>(kRuns));
  std::vector<double> log_joint;
  for (ModelIndex k = 1; k <= 5; ++k) log_joint.push_back(family.log_evidence(k) - std::log(5.0));
  const double total = log_sum_exp(log_joint);
  for (std::size_t r = 0; r < kRuns; ++r) {
    const Context context{Streams({.seed = 5, .replicate = static_cast<std::uint32_t>(r)}), one};
    const AllInOneRun run = frozen_all_in_one(family, first.plan, few_steps(), {}, context);
    for (ModelIndex k = 1; k <= 2; ++k)
      joint[k - 1][r] = std::exp(standard_estimate(run.trace) - total) * run.particles.share(k);
  }
  for (ModelIndex k = 1; k <= 2; ++k) expect_mean(joint[k - 1], exact[k - 1], "model " + std::to_string(k));
}

TEST(FrozenAllInOne, APlanWithoutStepsIsRefused) {
  const problems::Sums family = sums();
  const Executor one(1);
  EXPECT_THROW(frozen_all_in_one(family, {}, few_steps(), {}, {Streams({.seed = 1}), one}), InputError);
}

}  // namespace
}  // namespace evident
