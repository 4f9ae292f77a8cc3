#include "compare/runner.hpp"

#include <gtest/gtest.h>

#include "compare/rounds.hpp"
#include "problems/problems.hpp"

namespace evident {
namespace {

TEST(Runner, AJudgementEndsWhenRunsAreAdded) {
  const std::vector<Candidate> candidates = {{"model", 1.0, problems::conjugate_normal(5, 1).model}};
  CompareOptions options{.smc = SmcOptions{.particles = 50}, .threads = 1, .islands = 0};
  const Runner runner(candidates, options, nullptr, {});
  std::vector<ModelRuns> models = first_models(candidates, options);
  const RoundPlan one_more{{ModelPlan{.islands = 1}}};
  runner.add_runs(one_more, models);
  models.front().judged = JudgedModel{.nested_evaluations = 7};
  runner.add_runs(one_more, models);
  EXPECT_EQ(models.front().finished.size(), 2U);
  EXPECT_FALSE(models.front().judged);
  EXPECT_EQ(models.front().earlier_evaluations, 7U);
}

TEST(Runner, RunsThatBeginAgainAreOthers) {
  ModelRuns runs{
      .smc = SmcOptions{.particles = 50}, .pilot = PlanOfPilot{}, .finished = std::vector<runs::Finished>(3)};
  runs.begin_again(2);
  EXPECT_EQ(runs.first, 3U);  // random numbers are those of a run's number
  EXPECT_EQ(runs.smc.particles, 100U);
  EXPECT_TRUE(runs.finished.empty());
  EXPECT_FALSE(runs.pilot);
}

}  // namespace
}  // namespace evident
