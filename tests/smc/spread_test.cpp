// Particles spread over the ranks of a team: the same bits as in one process, whatever the kernel.
#include <gtest/gtest.h>

#include <cstring>
#include <mutex>

#include "base/partition.hpp"
#include "evident/base/error.hpp"
#include "evident/evidence/estimate.hpp"
#include "evident/smc/sampler.hpp"
#include "problems/problems.hpp"
#include "support/thread_team.hpp"

namespace evident {
namespace {

bool same(std::span<const double> a, std::span<const double> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

void expect_same(const Run& a, const Run& b) {
  ASSERT_EQ(a.trace.steps.size(), b.trace.steps.size());
  for (std::size_t t = 0; t < a.trace.steps.size(); ++t) {
    Step p = a.trace.steps[t], q = b.trace.steps[t];
    EXPECT_EQ(p.alpha, q.alpha) << t;
    EXPECT_EQ(p.log_ratio, q.log_ratio) << t;
    EXPECT_EQ(p.acceptance, q.acceptance) << t;
    EXPECT_EQ(p.jump, q.jump) << t;
    EXPECT_EQ(p.scale, q.scale) << t;
    EXPECT_EQ(p.passes, q.passes) << t;
    EXPECT_EQ(p.evaluations, q.evaluations) << t;
    EXPECT_EQ(p.resampled, q.resampled) << t;
  }
  EXPECT_EQ(a.trace.evaluations, b.trace.evaluations);
  EXPECT_EQ(a.trace.nan_evaluations, b.trace.nan_evaluations);
  EXPECT_EQ(a.trace.nan_points, b.trace.nan_points);
  EXPECT_EQ(a.trace.gradients, b.trace.gradients);
  EXPECT_EQ(a.trace.log_initial, b.trace.log_initial);
  EXPECT_EQ(a.trace.first.made, b.trace.first.made);
  EXPECT_EQ(a.trace.first.possible, b.trace.first.possible);
  EXPECT_EQ(a.trace.first.share, b.trace.first.share);
  EXPECT_EQ(standard_estimate(a.trace), standard_estimate(b.trace));
  for (std::size_t j = 0; j < a.particles.z.rows(); ++j)
    EXPECT_TRUE(same(a.particles.z.row(j), b.particles.z.row(j))) << "row " << j;
  for (std::size_t j = 0; j < a.particles.theta.rows(); ++j)
    EXPECT_TRUE(same(a.particles.theta.row(j), b.particles.theta.row(j))) << "row " << j;
  EXPECT_TRUE(same(a.particles.log_likelihood, b.particles.log_likelihood));
  EXPECT_TRUE(same(a.particles.log_prior, b.particles.log_prior));
  EXPECT_TRUE(same(a.particles.weights.values(), b.particles.weights.values()));
}

struct Case {
  const char* name;
  problems::Problem problem;
  SmcOptions options;
};

/// A normal likelihood that is NaN on a tail.
problems::Problem with_nan() {
  ParameterSpace space;
  space.add("a", normal(0, 3)).add("b", normal(0, 3));
  problems::Problem out;
  out.model =
      lift(space, [](std::span<const double> t) { return t[0] > 0.5 ? kNaN : -0.5 * (t[0] * t[0] + t[1] * t[1]); });
  return out;
}

std::vector<Case> cases() {
  const auto normal = problems::conjugate_normal(10, 3);
  const CessSchedule coarse{0.8};
  const std::size_t n = 500;  // eight blocks, the last one not full
  return {
      {"random walk", normal, {.particles = n, .schedule = coarse}},
      {"one at a time", normal, {.particles = n, .schedule = coarse, .kernel = {.grouping = Grouping::single}}},
      {"tried scales", normal, {.particles = n, .schedule = coarse, .kernel = {.scale_rule = ScaleRule::jump}}},
      {"langevin", normal, {.particles = n, .schedule = coarse, .kernel = {.kind = KernelKind::mala}}},
      {"hamiltonian", normal, {.particles = n, .schedule = coarse, .kernel = {.kind = KernelKind::hmc, .passes = 1}}},
      {"independent", normal, {.particles = n, .schedule = coarse, .kernel = {.kind = KernelKind::independent}}},
      {"until mixed",
       problems::correlated_gaussian(),
       {.particles = n,
        .schedule = coarse,
        .kernel = {.kind = KernelKind::crank_nicolson, .until_mixed = UntilMixed{0.5, 0.7, 1, 20}}}},
      {"some NaN", with_nan(), {.particles = n, .schedule = coarse}},
      {"never resampled", normal, {.particles = n, .schedule = coarse, .resample_threshold = 0}},
      {"fewer blocks than ranks", normal, {.particles = 100, .schedule = coarse}},
      {"mostly impossible", problems::possible_square(0.05), {.particles = n, .schedule = coarse}},
      {"too few possible ones",
       problems::possible_square(0.004),
       {.particles = n, .schedule = coarse, .max_prior_draws = 20'001}},
      {"waste-free, which is not partition", normal, {.particles = 512, .schedule = coarse, .waste_free = 8}},
  };
}

TEST(SpreadParticles, GiveTheSameBitsOnAnyNumberOfRanks) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const Executor one(1);
    const auto expected = direct_evidence(*c.problem.model, c.options, {Streams({.seed = 5}), one});
    for (const std::size_t ranks : {2UL, 3UL, 4UL}) {
      SCOPED_TRACE(std::to_string(ranks) + " ranks");
      std::mutex mutex;
      test::run_team(ranks, [&](Team& team) {
        const Executor executor(team.rank() == 1 ? 2 : 1);
        const auto run = direct_evidence(*c.problem.model, c.options, {Streams({.seed = 5}), executor, {}, team});
        const std::lock_guard lock(mutex);
        expect_same(run, expected);
      });
    }
  }
}

TEST(SpreadParticles, PilotsMakeTheSamePlan) {
  const auto problem = problems::conjugate_normal(10, 3);
  SmcOptions options = frozen_defaults();
  options.particles = 300;
  const Executor one(1);
  const PilotRun expected = pilot(*problem.model, options, {Streams({.seed = 2}), one});
  const auto frozen = frozen_evidence(*problem.model, expected.plan, options, {Streams({.seed = 2}), one});
  std::mutex mutex;
  test::run_team(3, [&](Team& team) {
    const Executor executor(1);
    const Context context{Streams({.seed = 2}), executor, {}, team};
    const PilotRun found = pilot(*problem.model, options, context);
    const auto run = frozen_evidence(*problem.model, found.plan, options, context);
    const std::lock_guard lock(mutex);
    expect_same(found.run, expected.run);
    EXPECT_EQ(found.plan.alphas, expected.plan.alphas);
    ASSERT_EQ(found.plan.calibrations.size(), expected.plan.calibrations.size());
    for (std::size_t t = 0; t < found.plan.alphas.size(); ++t)
      for (std::size_t g = 0; g < found.plan.calibrations[t].groups.size(); ++g) {
        EXPECT_EQ(found.plan.calibrations[t].groups[g].root, expected.plan.calibrations[t].groups[g].root);
        EXPECT_EQ(found.plan.calibrations[t].groups[g].scale, expected.plan.calibrations[t].groups[g].scale);
      }
    expect_same(run, frozen);
  });
}

TEST(SpreadParticles, ResamplingMovesOnlyWhatMustMove) {
  const auto problem = problems::conjugate_normal(10, 3);
  test::run_team(2, [&](Team& team) {
    Population x(*problem.model, 256);
    x.partition = std::make_shared<BlockPartition>(partition_blocks(team, x.size()));
    const std::size_t rows = x.z.rows() + x.theta.rows() + 2;
    for (std::size_t i = 0; i < x.size(); ++i)
      x.z(0, i) = static_cast<double>(i), x.log_likelihood[i] = -1.0 * static_cast<double>(i);
    std::vector<std::uint32_t> parents(x.size());
    for (std::size_t i = 0; i < parents.size(); ++i) parents[i] = static_cast<std::uint32_t>(i);
    x.select(parents);
    EXPECT_EQ(team.traffic().bytes_out, 0U);  // everybody stays
    for (std::size_t i = 0; i < parents.size(); ++i) parents[i] = static_cast<std::uint32_t>(i < 128 ? i : 100 + i % 2);
    std::ranges::sort(parents);
    x.select(parents);  // two particles of rank 0 go to rank 1, each once; rank 0 has 0..100 and copies of 100
    const std::size_t moved = team.leads() ? 0 : team.traffic().bytes_in / sizeof(double) / rows;
    EXPECT_LE(moved, 30U);
    for (std::size_t b = x.first_block(); b < x.last_block(); ++b)
      for (std::size_t i = b * kBlockSize; i < (b + 1) * kBlockSize; ++i) EXPECT_EQ(x.z(0, i), parents[i]);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(x.log_likelihood[i], -1.0 * parents[i]);
  });
}

/// A likelihood that breaks on one rank ends the run on all of them.
TEST(SpreadParticles, AnErrorOfOneRankEndsAll) {
  const auto problem = problems::conjugate_normal(10, 3);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(test::run_team(
                   3,
                   [&](Team& team) {
                     const Executor executor(1);
                     const std::stop_token token = team.rank() == 2 ? stop.get_token() : std::stop_token();
                     direct_evidence(*problem.model, {.particles = 500}, {Streams({.seed = 5}), executor, token, team});
                   }),
               RunError);
}

}  // namespace
}  // namespace evident
