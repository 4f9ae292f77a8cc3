// Comparisons by islands: errors, verdicts and goals, on problems whose answer is known.
#include <gtest/gtest.h>

#include <cmath>

#include "evident/base/error.hpp"
#include "evident/compare/compare.hpp"
#include "evident/model/model.hpp"
#include "evident/smc/sampler.hpp"
#include "problems/published.hpp"

namespace evident {
namespace {

CompareOptions options(std::size_t particles, std::uint64_t seed = 1) {
  CompareOptions o{.smc = frozen_defaults(), .seed = seed, .threads = 2, .islands = 8};
  o.smc->particles = particles;
  return o;
}

Candidate candidate(const problems::Problem& problem, double weight = 1) {
  return {problem.name, weight, problem.model};
}

// A short form of bench/calibration.cpp. Of 40 intervals with a true coverage between 90 and 99 %, 33 or more hold the
// answer in 95 % of cases or more; the mean error is within 3 of its standard errors; and with 40 runs a standard
// deviation is known to 11 %, so the ratio may leave the range 0.8 to 1.5 by that much.
TEST(Islands, ErrorsAreHonest) {
  for (const problems::Problem& problem : {problems::conjugate_normal(20, 2), problems::rosenbrock_pairs(2)}) {
    constexpr int kSeeds = 40;
    double mean = 0, squares = 0, se = 0;
    int held = 0, trusted = 0;
    for (int s = 1; s <= kSeeds; ++s) {
      const Comparison c = compare({candidate(problem)}, options(300, static_cast<std::uint64_t>(s)));
      const ModelResult& m = c.models.front();
      const double error = m.log_evidence.value - problem.log_evidence;
      mean += error / kSeeds;
      squares += error * error / kSeeds;
      se += m.log_evidence.standard_error / kSeeds;
      held += m.log_evidence.interval().holds(problem.log_evidence);
      trusted += *m.verdict == Verdict::trust;
    }
    const double sd = std::sqrt((squares - mean * mean) * kSeeds / (kSeeds - 1));
    EXPECT_GE(held, 33) << problem.name;
    EXPECT_LT(std::abs(mean), 3 * sd / std::sqrt(kSeeds)) << problem.name;
    EXPECT_GT(se / sd, 0.8 / 1.11) << problem.name;
    EXPECT_LT(se / sd, 1.5 * 1.11) << problem.name;
    EXPECT_GE(trusted, 37) << problem.name;
  }
}

TEST(Islands, ThePublishedAnswers) {
  EXPECT_NEAR(problems::eight_schools().log_evidence, -31.31135, 1e-5);
  EXPECT_NEAR(problems::log_gamma_modes(10).log_evidence, -10 * std::log(60.0), 1e-12);
  const auto problem = problems::eight_schools();
  const ModelResult m = compare({candidate(problem)}, options(400)).models.front();
  EXPECT_NEAR(m.log_evidence.value, problem.log_evidence, 4 * m.log_evidence.standard_error);
  EXPECT_LT(m.log_evidence.standard_error, 0.05);
  EXPECT_EQ(*m.verdict, Verdict::trust);
  EXPECT_EQ(m.replicates.size(), 8u);
  EXPECT_TRUE(m.pilot.has_value());
}

TEST(Islands, PrecisionIsReached) {
  const auto problem = problems::two_modes();
  CompareOptions o = options(100);
  const double before = compare({candidate(problem)}, o).models.front().log_evidence.standard_error;
  o.goal.precision = before / 2;
  const Comparison c = compare({candidate(problem)}, o);
  const ModelResult& m = c.models.front();
  EXPECT_GT(c.rounds, 1u);
  EXPECT_GT(m.evaluations(), compare({candidate(problem)}, options(100)).models.front().evaluations());
  EXPECT_LE(m.log_evidence.standard_error, before / 2);
  EXPECT_NEAR(m.log_evidence.value, problem.log_evidence, 4 * m.log_evidence.standard_error + 0.02);
}

TEST(Islands, WhatIsDecidedIsNotRefined) {
  const auto good = problems::beta_bernoulli(2, 2), bad = problems::beta_bernoulli(200, 2);
  CompareOptions o = options(100);
  o.goal.decide = 0.95;
  const Comparison c = compare({candidate({"good", good.model, 0}), candidate({"bad", bad.model, 0})}, o);
  EXPECT_EQ(c.rounds, 1u);
  EXPECT_GT(c.models[0].probability_interval.lower, 0.95);
  EXPECT_TRUE(c.models[1].dropped);
  EXPECT_FALSE(c.models[0].dropped);
}

TEST(Islands, TheSameForAnyNumberOfThreadsInEveryRound) {
  const auto a = problems::conjugate_normal(20, 1), b = problems::correlated_gaussian();
  CompareOptions o = options(60);
  o.goal.precision = 0.004;
  const auto with = [&](unsigned threads) {
    o.threads = threads;
    return compare({candidate(a), candidate(b)}, o);
  };
  const Comparison one = with(1), three = with(3);
  EXPECT_GT(one.rounds, 1u);
  ASSERT_EQ(one.rounds, three.rounds);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(one.models[k].log_evidence.value, three.models[k].log_evidence.value);
    EXPECT_EQ(one.models[k].log_evidence.standard_error, three.models[k].log_evidence.standard_error);
    EXPECT_EQ(one.models[k].replicates.size(), three.models[k].replicates.size());
  }
}

// Tempering sees the broad normal alone in every island, with a small error; nested sampling finds the spike.
TEST(Islands, APhaseTransitionIsNotTrusted) {
  const auto problem = problems::spike_in_normal(10, 0.1, 100);
  int answered = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const ModelResult m = compare({candidate(problem)}, options(500, seed)).models.front();
    const bool right = std::abs(m.log_evidence.value - problem.log_evidence) < 4 * m.log_evidence.standard_error + 0.1;
    answered += right || *m.verdict == Verdict::do_not_trust;
  }
  EXPECT_EQ(answered, 4);
}

TEST(Islands, GoalsNeedIslands) {
  const auto problem = problems::conjugate_normal(20, 1);
  CompareOptions o{.islands = 0, .goal = {.precision = 0.1}};
  EXPECT_THROW(compare({candidate(problem)}, o), InputError);
  o.islands = 1;
  EXPECT_THROW(compare({candidate(problem)}, o), InputError);
}

/// Time that passes with the work: a millisecond for each particle and step.
class WorkClock : public CompareObserver {
 public:
  void on_step(std::size_t, std::size_t, const Trace& trace) override {
    seconds_ = seconds_ + 1e-3 * static_cast<double>(trace.particles);
  }
  /// Of one thread, so that time passes in the same order in every run.
  Comparison compare_within(double seconds) {
    CompareOptions o = options(kFull);
    o.threads = 1;
    o.goal.seconds = seconds;
    o.now = [this] { return seconds_; };
    return compare({candidate(problems::two_modes())}, o, this);
  }
  double seconds() const { return seconds_; }

  static constexpr std::size_t kFull = 800;

 private:
  double seconds_ = 0;
};

TEST(Islands, TimeThatIsUpInTheFirstRoundLeavesTheFewestIslands) {
  WorkClock clock;
  const Comparison c = clock.compare_within(0.001);
  EXPECT_EQ(c.rounds, 1u);
  ASSERT_EQ(c.models.front().replicates.size(), 4u);
  EXPECT_LT(c.models.front().replicates.front().trace.particles, WorkClock::kFull);
}

TEST(Islands, TimeThatIsLeftGoesToRoundsOfFullSize) {
  WorkClock clock;
  const double limit = 500;
  const Comparison c = clock.compare_within(limit);
  EXPECT_GT(c.rounds, 1u);
  EXPECT_GE(c.models.front().replicates.size(), 8u);
  for (const Replicate& r : c.models.front().replicates) EXPECT_EQ(r.trace.particles, WorkClock::kFull);
  EXPECT_GT(clock.seconds(), limit / 2);
  EXPECT_LE(clock.seconds(), limit + c.models.front().replicates.front().seconds);
}

}  // namespace
}  // namespace evident
