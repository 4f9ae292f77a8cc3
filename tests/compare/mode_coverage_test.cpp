// The modes that were found before the runs, and the particles around them.
#include "compare/mode_coverage.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "evident/compare/compare.hpp"
#include "evident/model/model.hpp"
#include "problems/modes.hpp"

namespace evident {
namespace {

using testing::HasSubstr;

/// Two normal modes on the line, at -5 and 5; the first holds three quarters.
std::shared_ptr<const Model> two_on_a_line() {
  ParameterSpace space;
  space.add("x", normal(0, 100));
  return lift(space, [](std::span<const double> t) {
    const auto part = [&](double at) { return std::exp(-0.5 * (t[0] - at) * (t[0] - at)); };
    return std::log(0.75 * part(-5) + 0.25 * part(5));
  });
}

Mode mode_at(double x, double mass) {
  return {.z = {x}, .root = {1}, .log_mass = std::log(mass), .drawn_mass = {std::log(mass), 0.05}, .hits = 9};
}

/// An island whose draws lie at these places, with equal weights.
runs::Finished island_at(const std::vector<double>& places, double log_evidence) {
  runs::Finished out;
  out.replicate.log_evidence = {log_evidence, 0.1};
  out.draws.names = {"x"};
  out.draws.values = BlockStorage(1, places.size());
  std::ranges::copy(places, out.draws.values.row(0).begin());
  out.draws.weights.assign(places.size(), 1.0 / static_cast<double>(places.size()));
  return out;
}

TEST(ModeCoverage, SharesAreThoseOfTheParticles) {
  const Scouted found{.modes = {mode_at(-5, 0.75), mode_at(5, 0.25)}, .starts = 18};
  const std::vector<runs::Finished> islands = {island_at({-5.5, -4, -6, 4.5}, 0),
                                               island_at({-5, 5, 6, 4}, std::log(3))};
  const std::vector<ModeNumbers> seen = observe_modes(*two_on_a_line(), found, islands);
  ASSERT_EQ(seen.size(), 2U);
  // The second island counts three times.
  EXPECT_NEAR(seen[0].share.value, 0.25 * 0.75 + 0.75 * 0.25, 1e-12);
  EXPECT_NEAR(seen[1].share.value, 0.25 * 0.25 + 0.75 * 0.75, 1e-12);
  const double off_1 = 0.25 * (0.75 - 0.375), off_2 = 0.75 * (0.25 - 0.375);
  EXPECT_NEAR(seen[0].share.standard_error, std::sqrt(2 * (off_1 * off_1 + off_2 * off_2)), 1e-12);
  EXPECT_EQ(seen[1].place, "x = 5");
  EXPECT_EQ(seen[1].at, std::vector<double>{5});
  EXPECT_NEAR(seen[1].log_mass.value, std::log(0.25), 1e-12);
}

TEST(ModeCoverage, ModesOfUnknownMassAreLeftOut) {
  Scouted found{.modes = {mode_at(-5, 0.75), mode_at(5, 0.25)}, .starts = 18};
  found.modes[1].drawn_mass = {};
  const std::vector<runs::Finished> islands = {island_at({-5, 5}, 0), island_at({-5, 5}, 0)};
  const std::vector<ModeNumbers> seen = observe_modes(*two_on_a_line(), found, islands);
  ASSERT_EQ(seen.size(), 1U);
  EXPECT_EQ(seen[0].share.value, 1);  // there is no other mode to belong to
}

CompareOptions islands_of(std::size_t particles, std::size_t islands) {
  CompareOptions out{.smc = frozen_defaults(), .seed = 3, .threads = 2, .islands = islands};
  out.smc->particles = particles;
  return out;
}

/// Flat on a square but for a needle with ten times its evidence, on a hundred-thousandth of it: nothing leads there.
std::shared_ptr<const Model> needle(double sd) {
  ParameterSpace space;
  space.add("x", uniform(0, 1));
  space.add("y", uniform(0, 1));
  return lift(space, [sd](std::span<const double> t) {
    const double u = (t[0] - 0.3) / sd, v = (t[1] - 0.6) / sd;
    return std::log1p(10 / (2 * M_PI * sd * sd) * std::exp(-0.5 * (u * u + v * v)));
  });
}

// One particle met it, in one island of two.
TEST(ModeCoverage, WhatARunHasMetIsClimbed) {
  const auto model = needle(1e-3);
  const auto island = [&](double x, double y) {
    runs::Finished out = island_at({0.1, 0.5, 0.9, x}, 0);
    out.draws.names = {"x", "y"};
    out.draws.values = BlockStorage(2, 4);
    for (std::size_t i = 0; i < 4; ++i) out.draws.values(0, i) = 0.2 * static_cast<double>(i + 1);
    for (std::size_t i = 0; i < 4; ++i) out.draws.values(1, i) = 0.5;
    out.draws.values(0, 3) = x, out.draws.values(1, 3) = y;
    out.draws.log_prior.assign(4, 0);
    out.draws.log_likelihood.resize(4);
    model->log_likelihood(out.draws.values, out.draws.log_likelihood);
    return out;
  };
  const std::vector<runs::Finished> islands = {island(0.7, 0.5), island(0.302, 0.5985)};
  const Executor executor(1);
  Scouted found{.starts = 8, .evaluations = 50};
  look_around(*model, islands, found, {Streams({.seed = 1}), executor});
  EXPECT_GT(found.evaluations, 50U);
  EXPECT_EQ(found.starts, 8U);
  const auto known = std::ranges::find_if(found.modes, [](const Mode& m) { return m.drawn_mass.known(); });
  ASSERT_NE(known, found.modes.end());
  EXPECT_NEAR(known->drawn_mass.value, std::log(10), 4 * known->drawn_mass.standard_error);
  EXPECT_EQ(known->hits, 0U) << "a particle is no random start";
  // From the mode itself nothing new is found.
  const std::size_t modes = found.modes.size();
  look_around(*model, islands, found, {Streams({.seed = 1}), executor});
  EXPECT_EQ(found.modes.size(), modes);
}

TEST(ModeCoverage, RunsContinueWithTheModeTheyMet) {
  const ModelResult m = compare({{"needle", 1, needle(1e-3), {}}}, islands_of(1000, 8)).models.front();
  EXPECT_EQ(m.verdict, Verdict::trust);
  EXPECT_NEAR(m.log_evidence.value, std::log(11), 4 * m.log_evidence.standard_error + 1e-3);
}

// A path from the prior loses three of the five in every island, and ends 0.9 too low.
TEST(ModeCoverage, RunsBeginAtModesOfUnequalVolume) {
  for (const std::uint64_t instance : {11, 12}) {
    const auto p = problems::unequal_modes(10, 5, instance);
    const ModelResult m = compare({{"modes", 1, p.problem.model, {}}}, islands_of(500, 8)).models.front();
    EXPECT_EQ(m.verdict, Verdict::trust);
    EXPECT_NEAR(m.log_evidence.value, p.problem.log_evidence, 4 * m.log_evidence.standard_error);
    EXPECT_LT(m.log_evidence.standard_error, 0.05);
    ASSERT_TRUE(m.modes);
    ASSERT_EQ(m.modes->largest.size(), 5U);
    EXPECT_GT(m.modes->evaluations, 0U);
    for (const FoundMode& mode : m.modes->largest)
      EXPECT_NEAR(mode.of_particles.value, 0.2, 4 * mode.of_particles.standard_error + 0.01);
  }
}

// Each coordinate has two modes of its own: 4096 in all, too many to know.
TEST(ModeCoverage, ManyModesAreCrossedCoordinateByCoordinate) {
  const auto p = problems::signs(12);
  const ModelResult m = compare({{"signs", 1, p.model, {}}}, islands_of(500, 8)).models.front();
  EXPECT_EQ(m.verdict, Verdict::trust);
  EXPECT_NEAR(m.log_evidence.value, p.log_evidence, 4 * m.log_evidence.standard_error);
  EXPECT_LT(m.log_evidence.standard_error, 0.1);
}

}  // namespace
}  // namespace evident
