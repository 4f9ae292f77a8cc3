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
  const auto model = problems::conjugate_normal(10, 1).model;
  runs.begin_again(2, *model);
  EXPECT_EQ(runs.first, 3U);  // random numbers are those of a run's number
  EXPECT_EQ(runs.smc.particles, 100U);
  EXPECT_TRUE(runs.finished.empty());
  EXPECT_FALSE(runs.pilot);
  EXPECT_EQ(runs.start, nullptr);
}

TEST(Runner, RunsThatLackedAModeBeginAtItNext) {
  const auto model = problems::conjugate_normal(10, 1).model;
  ModelRuns runs{.smc = SmcOptions{.particles = 50}, .pilot = PlanOfPilot{}};
  const Mode mode{.z = {0.5}, .root = {0.2}, .log_mass = -3, .drawn_mass = {-3, 0.1}};
  runs.modes = Scouted{.starts = 20, .evaluations = 100};
  runs.take({.judgement = {.reasons = {{Alarm::mode_missing, Verdict::run_longer, "it is missing"}}},
             .known_modes = Scouted{.modes = {mode}, .starts = 20, .evaluations = 130}});
  EXPECT_EQ(runs.earlier_evaluations, 30U) << "the climbs from particles";
  ASSERT_EQ(runs.modes->modes.size(), 1U);
  runs.begin_again(2, *model);
  ASSERT_NE(runs.start, nullptr);
  EXPECT_EQ(runs.start->modes().components().front().mean, std::vector<double>{0.5});
  EXPECT_EQ(runs.smc.kernel.modes->components().size(), 1U);
}

}  // namespace
}  // namespace evident
