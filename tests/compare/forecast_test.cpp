// The forecast of a comparison: in numbers that a small one would leave, and against comparisons whose evaluations are
// counted. Nothing here depends on the clock: the time for a forecast never ends.
#include "compare/forecast.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <stop_token>
#include <thread>

#include "evident/base/error.hpp"
#include "evident/smc/sampler.hpp"
#include "problems/modes.hpp"
#include "problems/problems.hpp"

namespace evident {
namespace {

using testing::HasSubstr;

constexpr double kNoEnd = 1e6;  // seconds

/// A run of ten steps with `n` particles and a likelihood of 1 ms: ten evaluations a particle and step.
MeasuredRuns runs_of(std::size_t n) {
  const double particles = static_cast<double>(n);
  MeasuredRuns out{.pilot = {.particles = n, .first = {particles, 1e-3 * particles}}};
  for (int t = 0; t < 10; ++t) out.pilot.steps.push_back({10 * particles, 1e-2 * particles});
  out.island = Work{110 * particles, 0.11 * particles};
  return out;
}

SmallComparison small_comparison() {
  return {.sizes = {runs_of(100)},
          .checks = Work{3000, 3},
          .drawn_beside = 0,
          .probe = Work{250 * 50, 12.5},
          .particles_of_probe = 250};
}

ModelCheckOptions with_islands(std::size_t particles = 20'000) {
  ModelCheckOptions out{.islands = 8};
  out.smc = frozen_defaults();
  out.smc.particles = particles;
  return out;
}

const CheckedSoFar kKnown{.time = {.in_block = 1e-3, .alone = 1e-3}, .scouting = {6000, 6}};

std::string names_of(const Forecast& f) {
  std::string out;
  for (const StageForecast& s : f.stages) out += s.name + " ";
  return out;
}

TEST(Forecast, AddsUpItsParts) {
  const Forecast f = forecast_from(small_comparison(), with_islands(), kKnown, 1);
  EXPECT_EQ(f.why_not, "");
  EXPECT_EQ(f.runs, 9u);
  EXPECT_DOUBLE_EQ(f.steps, 10);
  EXPECT_DOUBLE_EQ(f.evaluations, 101 * 20'000);  // of a run, without a bridge
  EXPECT_EQ(names_of(f), "modes pilot islands checks probe ");
  const double probe = 50 * 5000;  // of a quarter of the particles
  EXPECT_NEAR(f.whole.evaluations, 6000 + (101 + 8 * 111) * 20'000 + 3000 + probe, 1);
  EXPECT_NEAR(f.whole.cpu_seconds, 1e-3 * f.whole.evaluations, 1e-6);
  EXPECT_NEAR(f.whole.seconds, f.whole.cpu_seconds, 1e-6);
  EXPECT_DOUBLE_EQ(f.least.evaluations, f.whole.evaluations);
  const double referee = 5 * 50 * 20'000;
  EXPECT_NEAR(f.most.evaluations, 6000 + 3 * 3000 + 7 * ((101 + 8 * 111) * 20'000 + probe + referee), 1);
}

TEST(Forecast, FollowsWhatJudgesMadeOfTheSmallRuns) {
  SmallComparison small = small_comparison();
  const double agreed = forecast_from(small, with_islands(), kKnown, 1).whole.evaluations;
  const double once = agreed - 6000, referee = 5 * 50 * 20'000;
  small.asks_referee = true;
  const Forecast asked = forecast_from(small, with_islands(), kKnown, 1);
  EXPECT_EQ(names_of(asked), "modes pilot islands checks probe referee ");
  EXPECT_NEAR(asked.whole.evaluations, agreed + referee, 1);
  EXPECT_NEAR(asked.least.evaluations, agreed, 1);
  small.in_doubt = true;
  EXPECT_FALSE(forecast_from(small, with_islands(), kKnown, 1).again);  // fewer particles disagree more often
  small.sizes = {runs_of(20'000)};
  const Forecast again = forecast_from(small, with_islands(), kKnown, 1);
  EXPECT_EQ(names_of(again), "modes pilot islands checks probe referee again ");
  EXPECT_NEAR(again.whole.evaluations, agreed + referee + 2 * (once - 3000 + referee) + 3000, 1);
  EXPECT_TRUE(again.referee && again.again);
  EXPECT_LT(again.whole.evaluations, again.most.evaluations);
}

TEST(Forecast, TwoSizesShowWhatDoesNotGrow) {
  SmallComparison small = small_comparison();
  small.sizes = {runs_of(100), runs_of(200)};
  for (MeasuredRuns& m : small.sizes) m.island->seconds += 10;  // whatever the particles
  const auto seconds_of_island = [&](std::size_t particles) {
    return forecast_from(small, with_islands(particles), kKnown, 1).stages[2].seconds / 8;
  };
  EXPECT_NEAR(seconds_of_island(1000), 0.111 * 1000 + 10, 1e-6);
  EXPECT_NEAR(seconds_of_island(200), 0.111 * 200 + 10, 1e-6);
}

TEST(Forecast, AdaptiveRunsHaveNoIslands) {
  ModelCheckOptions options = with_islands(1000);
  options.islands = 0;
  options.replicates = 3;
  SmallComparison small = small_comparison();
  small.finer = 5;
  const Forecast f = forecast_from(small, options, kKnown, 1);
  EXPECT_EQ(names_of(f), "runs checks ");
  EXPECT_EQ(f.runs, 3u);
  EXPECT_DOUBLE_EQ(f.steps, 50);
  EXPECT_DOUBLE_EQ(f.evaluations, 501 * 1000);
  EXPECT_NEAR(f.whole.evaluations, 3 * 501 * 1000 + 3000, 1);
  EXPECT_DOUBLE_EQ(f.most.evaluations, f.whole.evaluations);
}

TEST(Forecast, ThreadsTakeWholeIslands) {
  const auto islands_alone = [](unsigned threads) {
    SmallComparison small = small_comparison();
    small.probe = Work{0, 0};
    small.checks = Work{0, 0};
    small.sizes[0].pilot.first.seconds = 0;
    for (Work& w : small.sizes[0].pilot.steps) w.seconds = 0;
    return forecast_from(small, with_islands(), {.time = kKnown.time}, threads);
  };
  const double one = islands_alone(1).whole.seconds;
  EXPECT_NEAR(islands_alone(4).whole.seconds, one / 4, 1e-6);
  EXPECT_NEAR(islands_alone(5).whole.seconds, one / 4, 1e-6);
  EXPECT_NEAR(islands_alone(8).whole.seconds, one / 8, 1e-6);
  EXPECT_NEAR(islands_alone(5).whole.cpu_seconds, one, 1e-6);
}

TEST(Forecast, ACourseThatWasStoppedGoesOnAsItsLastSteps) {
  Course c{.particles = 10, .first = {10, 1}, .steps = {{20, 2}, {30, 3}, {40, 4}, {50, 5}}, .steps_left = 6};
  EXPECT_FALSE(c.finished());
  EXPECT_DOUBLE_EQ(c.all_steps(), 10);
  EXPECT_DOUBLE_EQ(c.moves().evaluations, 140 + 6 * 40);
  EXPECT_DOUBLE_EQ(c.moves().seconds, 14 + 6 * 4);
  c.steps_left = 0;
  EXPECT_DOUBLE_EQ(c.moves().evaluations, 140);
}

/// Evaluations that are forecast over those that a comparison makes.
double ratio_of(const Model& model, const std::shared_ptr<const Model>& shared, CompareOptions options, Forecast& f) {
  const ModelCheckOptions wanted{
      .forecast_limit = kNoEnd, .smc = options.sampler(), .islands = options.islands, .replicates = options.replicates};
  const Executor executor(1);
  f = *check_model(model, wanted, {Streams({.seed = 3}), executor}).forecast;
  options.threads = 1;
  const Comparison c = compare({{"model", 1.0, shared}}, options);
  return f.whole.evaluations / static_cast<double>(c.models[0].evaluations());
}

double ratio_of(const problems::Problem& p, const CompareOptions& options, Forecast& f) {
  return ratio_of(*p.model, p.model, options, f);
}

TEST(Forecast, IsNearToTheEvaluationsOfAComparison) {
  Forecast f;
  const CompareOptions usual{.seed = 11};
  EXPECT_NEAR(ratio_of(problems::conjugate_normal(20, 1), usual, f), 1, 0.25);
  EXPECT_FALSE(f.referee || f.again);
  EXPECT_EQ(f.particles, 1000u);
  EXPECT_NEAR(ratio_of(problems::equicorrelated_gaussian(10), usual, f), 1, 0.25);
  EXPECT_NEAR(ratio_of(problems::unequal_modes(3, 4, 2).problem, usual, f), 1, 0.4);
}

TEST(Forecast, IsNearWhateverIsSet) {
  Forecast f;
  const problems::Problem p = problems::log_exponential(5);
  SmcOptions fewer = frozen_defaults();
  fewer.particles = 200;
  EXPECT_NEAR(ratio_of(p, {.smc = fewer, .seed = 11, .islands = 4}, f), 1, 0.4);
  EXPECT_EQ(f.runs, 5u);
  SmcOptions finer = frozen_defaults();
  finer.schedule = CessSchedule{0.99};
  EXPECT_NEAR(ratio_of(p, {.smc = finer, .seed = 11}, f), 1, 0.5);
  CompareOptions adaptive = default_options(Method::direct, Recipe::adaptive);
  adaptive.replicates = 3;
  EXPECT_NEAR(ratio_of(p, adaptive, f), 1, 0.4);
  EXPECT_EQ(names_of(f), "runs checks ");
}

TEST(Forecast, ExpectsTheRefereeWhereSmallRunsAskForOne) {
  Forecast f;
  const double ratio = ratio_of(problems::spike_in_normal(10, 0.3, 100), {.seed = 11}, f);
  EXPECT_TRUE(f.referee);
  EXPECT_GT(ratio, 0.5);
  EXPECT_LT(ratio, 2);
}

/// Ten milliseconds a likelihood: no run comes to its end in time.
class Slow final : public Model {
 public:
  explicit Slow(std::stop_source* stop = nullptr) : stop_(stop) { space_.add("mu", normal(0, 2)); }
  const ParameterSpace& parameters() const override { return space_; }
  void log_likelihood(ConstBlock theta, std::span<double> out) const override {
    std::this_thread::sleep_for(std::chrono::milliseconds(10) * theta.size());
    for (std::size_t i = 0; i < theta.size(); ++i) out[i] = -theta(0, i) * theta(0, i);
    if (stop_ != nullptr) stop_->request_stop();
  }

 private:
  ParameterSpace space_;
  std::stop_source* stop_;
};

TEST(Forecast, SaysAtLeastWhatTheQuickestTake) {
  const Executor executor(1);
  ModelCheckOptions options = with_islands(1000);
  options.forecast_limit = 0.01;
  const CheckedSoFar slow{.time = {.in_block = 0.01, .alone = 0.01, .waiting = 0.01}};
  const SmallComparison small = compare_in_small(Slow(), options, slow, {Streams({.seed = 1}), executor});
  const Forecast f = forecast_from(small, options, slow, 1);
  EXPECT_THAT(f.why_not, HasSubstr("a run with 64 particles was at alpha = "));
  EXPECT_GT(f.least.evaluations, 9 * 20 * 1000);
  EXPECT_NEAR(f.least.cpu_seconds, 0.01 * f.least.evaluations, 1e-6);
}

TEST(Forecast, TimeInWhichAnotherProcessComputesCounts) {
  const Executor executor(1);
  const ModelCheck c =
      check_model(Slow(), {.draws = 16, .forecast = false, .modes = false}, {Streams({.seed = 1}), executor});
  EXPECT_GE(c.seconds_per_likelihood, 0.01);
  EXPECT_LT(c.seconds_per_likelihood, 0.1);
}

TEST(Forecast, EndsWhenAskedToStop) {
  const Executor executor(1);
  std::stop_source stop;
  const CheckedSoFar slow{.time = {.in_block = 0.01, .alone = 0.01}};
  EXPECT_THROW(
      compare_in_small(Slow(&stop), with_islands(1000), slow, {Streams({.seed = 1}), executor, stop.get_token()}),
      RunError);
}

}  // namespace
}  // namespace evident
