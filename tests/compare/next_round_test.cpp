#include "compare/next_round.hpp"

#include <gtest/gtest.h>

#include "evident/base/error.hpp"

namespace evident {
namespace {

ModelProgress model(double log_evidence, double error, double cost = 1) {
  return {.evidence = {.log_evidence = {log_evidence, error, 7}},
          .island_sd = 0.2,
          .islands = 8,
          .particles = 1000,
          .full = 1000,
          .cost = cost,
          .seconds = 2};
}

RoundPlan plan(const std::vector<ModelProgress>& models, const Goal& goal, double elapsed = 0) {
  return next_round(models, goal, elapsed, 2, 8);
}

TEST(NextRound, NothingAskedNothingDone) { EXPECT_FALSE(plan({model(0, 1), model(0, 1)}, {}).more()); }

TEST(NextRound, AnErrorFromFewIslandsCountsForMore) {
  // 0.09 from 8 islands may well be 0.11.
  EXPECT_NEAR(safe_error({.standard_error = 0.09, .degrees = 7}), 0.09 * (1 + 1 / std::sqrt(14.0)), 1e-12);
  EXPECT_DOUBLE_EQ(safe_error({.standard_error = 0.09}), 0.09);
  EXPECT_TRUE(plan({model(0, 0.09)}, {.precision = 0.1}).more());
  EXPECT_FALSE(plan({model(0, 0.07)}, {.precision = 0.1}).more());
}

TEST(NextRound, PrecisionAsksForAsManyIslandsAsItTakesAtMostTwice) {
  const RoundPlan a = plan({model(0, 0.09), model(0, 1), model(0, 0.05)}, {.precision = 0.1});
  EXPECT_EQ(a.models[0].islands, 3u);  // 8 (1.267 x .9)^2 - 8 = 2.4, rounded up
  EXPECT_EQ(a.models[1].islands, 8u);
  EXPECT_EQ(a.models[2].islands, 0u);
  EXPECT_DOUBLE_EQ(a.seconds, (3 + 8) * 2.0 / 2);
}

TEST(NextRound, HopelessModelsAreDropped) {
  const RoundPlan a = plan({model(0, 0.3), model(-20, 0.3)}, {.precision = 0.1});
  EXPECT_GT(a.models[0].islands, 0u);
  EXPECT_TRUE(a.models[1].hopeless);
  EXPECT_EQ(a.models[1].islands, 0u);
  // What is known badly cannot be dropped.
  EXPECT_FALSE(plan({model(0, 0.3), model(-20, 15)}, {.precision = 0.1}).models[1].hopeless);
}

TEST(NextRound, WideOrDoubtfulIslandsGetParticles) {
  ModelProgress wide = model(0, 0.5);
  wide.island_sd = 1.5;
  const RoundPlan a = plan({wide}, {.precision = 0.1});
  EXPECT_EQ(a.models[0].factor, 2u);
  EXPECT_EQ(a.models[0].islands, 8u);
  ModelProgress doubtful = model(0, 0.01);
  doubtful.doubtful = true;
  EXPECT_EQ(plan({doubtful}, {.precision = 0.1}).models[0].factor, 2u);
}

TEST(NextRound, DecidesWhenTheIntervalIsOnOneSide) {
  EXPECT_FALSE(plan({model(0, 0.1), model(-5, 0.1)}, {.decide = 0.95}).more());  // .993
  EXPECT_FALSE(plan({model(0, 0.1), model(-1, 0.1)}, {.decide = 0.95}).more());  // .73
  EXPECT_TRUE(plan({model(0, 0.3), model(-3, 0.3)}, {.decide = 0.95}).more());   // .953, could be either
}

TEST(NextRound, WorkGoesWhereItHelpsMost) {
  const RoundPlan errors = plan({model(0, 0.1), model(-3, 1.0)}, {.decide = 0.95});
  EXPECT_GT(errors.models[1].islands, errors.models[0].islands);
  const RoundPlan costs = plan({model(0, 0.4, 1), model(-3, 0.4, 100)}, {.decide = 0.95});
  EXPECT_GT(costs.models[0].islands, costs.models[1].islands);
}

TEST(NextRound, TimeIsKept) {
  const std::vector<ModelProgress> models = {model(0, 0.3), model(-1, 0.3)};
  EXPECT_GT(plan(models, {.seconds = 1000}).seconds, 0);
  const RoundPlan tight = plan(models, {.seconds = 10}, 4);
  EXPECT_TRUE(tight.more());
  EXPECT_LE(tight.seconds, 6);
  EXPECT_FALSE(plan(models, {.seconds = 10}, 9.5).more());
}

TEST(NextRound, AgainstTheClockParticlesGrowFirst) {
  ModelProgress small = model(0, 0.3);
  small.particles = 250;
  const RoundPlan a = plan({small}, {.seconds = 1000});
  EXPECT_EQ(a.models[0].factor, 4u);
  EXPECT_EQ(a.models[0].islands, 8u);
  EXPECT_EQ(plan({small}, {.seconds = 20}).models[0].factor, 1u);  // 4 x 2 s x 9 / 2 would not fit
}

TEST(NextRound, GivesUpAtItsLimits) {
  ModelProgress many = model(0, 1);
  many.islands = kMostIslands;
  EXPECT_FALSE(plan({many}, {.precision = 0.1}).more());
}

TEST(NextRound, WhatIsInDoubtIsDoubledWithinLimits) {
  const std::vector<ModelProgress> models = {model(0, 0.1), model(-1, 0.1)};
  const auto doubled = [&](const std::vector<ModelProgress>& of, const Goal& goal) {
    return doubled_particles(of, {false, true}, goal, 2, 8);
  };
  const RoundPlan a = doubled(models, {});
  EXPECT_EQ(a.models[0].islands, 0u);
  EXPECT_EQ(a.models[1].islands, 8u);
  EXPECT_EQ(a.models[1].factor, 2u);
  EXPECT_DOUBLE_EQ(a.seconds, 9 * 2 * 2.0 / 2);  // a pilot and 8 islands, each twice as long, on two threads
  EXPECT_FALSE(doubled_particles(models, {false, false}, {}, 2, 8).more());
  EXPECT_FALSE(doubled(models, {.seconds = 1000}).more());
  // At its limit: four times what was asked for, or more when there is a goal.
  std::vector<ModelProgress> grown = models;
  grown[1].particles = kMostGrowthUnasked * grown[1].full;
  EXPECT_FALSE(doubled(grown, {}).more());
  EXPECT_TRUE(doubled(grown, {.precision = 0.1}).more());
  grown[1].particles = kMostGrowth * grown[1].full;
  EXPECT_FALSE(doubled(grown, {.precision = 0.1}).more());
}

TEST(Goal, BadGoalsAreRefused) {
  for (const Goal& goal :
       {Goal{.precision = -1}, Goal{.precision = 1e-9}, Goal{.decide = 1}, Goal{.decide = -0.1}, Goal{.seconds = -5}})
    EXPECT_THROW(check(goal), InputError);
  EXPECT_NO_THROW(check(Goal{.precision = 0.1, .decide = 0.95, .seconds = 60}));
}

}  // namespace
}  // namespace evident
