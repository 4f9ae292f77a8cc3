#include "proposal/bridge.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "evident/model/model.hpp"
#include "evident/path/target.hpp"
#include "evident/smc/sampler.hpp"
#include "problems/problems.hpp"
#include "proposal/plane.hpp"

namespace evident {
namespace {

const Executor kAlone(1);

Context context(std::uint32_t replicate = 0, const Executor& executor = kAlone) {
  return {Streams({.seed = 2718, .replicate = replicate}), executor};
}

using test::complete;

BridgeEvidence after_smc(const problems::Problem& problem, const SmcOptions& options, std::uint32_t replicate = 0) {
  const Run run = direct_evidence(*problem.model, options, context(replicate));
  return bridge_evidence(*problem.model, run.particles, {}, context(replicate));
}

void expect_exact(const problems::Problem& problem, const SmcOptions& options, double most_error) {
  const BridgeEvidence b = after_smc(problem, options);
  EXPECT_TRUE(b.usable) << problem.name << ": " << b.reason;
  EXPECT_GT(b.log_evidence.standard_error, 0) << problem.name;
  EXPECT_LT(b.log_evidence.standard_error, most_error) << problem.name;
  EXPECT_NEAR(b.log_evidence.value, problem.log_evidence, 4 * b.log_evidence.standard_error) << problem.name;
  EXPECT_GT(b.evaluations, 0U);
  EXPECT_LE(b.evaluations, 10 * options.particles);
}

TEST(Bridge, ConjugateNormals) {
  for (const std::size_t d : {1, 3, 5})
    expect_exact(problems::conjugate_normal(10, d), {.particles = 500, .schedule = CessSchedule{0.99}}, 0.02);
}
TEST(Bridge, CorrelatedGaussianInTenDimensions) {
  const problems::Problem problem = problems::equicorrelated_gaussian(10);
  EXPECT_NEAR(problem.log_evidence, -23.0259, 1e-4);
  expect_exact(problem, {.particles = 1000, .schedule = CessSchedule{0.99}}, 0.05);
}
TEST(Bridge, RosenbrockPair) {
  expect_exact(problems::rosenbrock_pairs(2), {.particles = 1000, .schedule = CessSchedule{0.99}}, 0.05);
}
TEST(Bridge, TwoModes) {
  expect_exact(problems::two_modes(), {.particles = 1000, .schedule = CessSchedule{0.99}}, 0.1);
}
TEST(Bridge, SkewedPosterior) {
  expect_exact(problems::log_exponential(5), {.particles = 1000, .schedule = CessSchedule{0.99}}, 0.05);
}
TEST(Bridge, NarrowGaussianInTwentyDimensions) {
  expect_exact(problems::narrow_gaussian(20), {.particles = 1000, .schedule = CessSchedule{0.99}}, 0.1);
}

// The reported error against the spread of the estimates, and the estimates against the truth.
void expect_honest(const problems::Problem& problem, std::uint32_t seeds) {
  double sum = 0, squares = 0, variance = 0;
  for (std::uint32_t r = 0; r < seeds; ++r) {
    const BridgeEvidence b = after_smc(problem, {.particles = 400, .schedule = CessSchedule{0.97}}, r);
    const double off = b.log_evidence.value - problem.log_evidence;
    sum += off;
    squares += off * off;
    variance += b.log_evidence.standard_error * b.log_evidence.standard_error / seeds;
  }
  const double mean = sum / seeds, sd = std::sqrt((squares - seeds * mean * mean) / (seeds - 1));
  EXPECT_NEAR(mean, 0, 4 * sd / std::sqrt(static_cast<double>(seeds))) << problem.name;
  EXPECT_GT(std::sqrt(variance) / sd, 0.7) << problem.name;
  EXPECT_LT(std::sqrt(variance) / sd, 1.5) << problem.name;
}

TEST(Bridge, ErrorIsHonestForNormals) { expect_honest(problems::conjugate_normal(10, 5), 50); }
TEST(Bridge, ErrorIsHonestForRosenbrock) { expect_honest(problems::rosenbrock_pairs(2), 50); }
TEST(Bridge, ErrorIsHonestForSkew) { expect_honest(problems::log_exponential(3), 50); }

TEST(Bridge, RefusesAPopulationThatMissesAMode) {
  const problems::Problem problem = test::plane_with_two_modes();
  const auto filled = [&](bool both) {
    return bridge_evidence(*problem.model, test::in_the_plane(*problem.model, both), {}, context());
  };
  const BridgeEvidence whole = filled(true), half = filled(false);
  EXPECT_TRUE(whole.usable) << whole.reason;
  EXPECT_LT(std::abs(whole.agreement.gap), 0.05);
  EXPECT_LT(whole.agreement.pareto_k, 0.7);
  EXPECT_FALSE(half.usable);
  EXPECT_NEAR(half.agreement.importance.value, whole.log_evidence.value, 0.5);
  EXPECT_GT(half.agreement.gap, 0.1);
}

TEST(Bridge, TheSameBitsForAnyNumberOfThreads) {
  const problems::Problem problem = problems::conjugate_normal(5, 2);
  const auto run = direct_evidence(*problem.model, {.particles = 500, .schedule = CessSchedule{0.9}}, context());
  const Executor three(3);
  const BridgeEvidence a = bridge_evidence(*problem.model, run.particles, {}, context());
  const BridgeEvidence b = bridge_evidence(*problem.model, run.particles, {}, context(0, three));
  EXPECT_EQ(a.log_evidence.value, b.log_evidence.value);
  EXPECT_EQ(a.log_evidence.standard_error, b.log_evidence.standard_error);
  EXPECT_EQ(a.agreement.importance.value, b.agreement.importance.value);
}

TEST(Bridge, CopiesAreNotNewDraws) {
  const problems::Problem problem = problems::conjugate_normal(10, 2);
  const auto run = direct_evidence(*problem.model, {.particles = 400, .schedule = CessSchedule{0.99}}, context());
  std::vector<std::uint32_t> columns;
  for (std::uint32_t i = 0; i < 400; ++i) columns.insert(columns.end(), 5, i);
  Population five(*problem.model, 400);
  five.assign(run.particles, columns);
  const BridgeOptions options{.draws = 2000};
  const BridgeEvidence a = bridge_evidence(*problem.model, run.particles, options, context());
  const BridgeEvidence b = bridge_evidence(*problem.model, five, options, context());
  EXPECT_NEAR(b.effective / a.effective, 1, 0.2);
  EXPECT_NEAR(b.log_evidence.standard_error / a.log_evidence.standard_error, 1, 0.2);
}

TEST(Bridge, WeightsAreCounted) {
  // Prior draws weighted by the likelihood.
  const problems::Problem problem = problems::conjugate_normal(2, 2);
  Population x(*problem.model, 2000);
  problem.model->draw_prior(Streams({.seed = 8}), 0, x.theta);
  problem.model->parameters().unconstrain(x.theta, x.z);
  complete(*problem.model, x);
  x.weights.absorb(x.log_likelihood, 1.0);
  const BridgeEvidence b = bridge_evidence(*problem.model, x, {}, context());
  EXPECT_LT(b.effective, 1.2 * 2000 * x.weights.ess());
  EXPECT_NEAR(b.log_evidence.value, problem.log_evidence, 4 * b.log_evidence.standard_error);
}

TEST(Bridge, SaysWhyItCannot) {
  const problems::Problem problem = problems::conjugate_normal(2, 2);
  const Model& model = *problem.model;
  const auto good = [&](std::size_t n) {
    Population x(model, n);
    model.draw_prior(Streams({.seed = 8}), 0, x.theta);
    model.parameters().unconstrain(x.theta, x.z);
    complete(model, x);
    return x;
  };
  const auto run = [&](const Population& x) { return bridge_evidence(model, x, {}, context()); };
  Population same(model, 200);
  complete(model, same);
  EXPECT_THROW(run(same), RunError);
  Population broken = good(200);
  broken.log_likelihood[17] = kNaN;
  EXPECT_THROW(run(broken), RunError);
  broken.log_likelihood[17] = -kInf;
  EXPECT_THROW(run(broken), RunError);
  for (const std::size_t n : {1, 2, 10}) EXPECT_THROW(run(good(n)), RunError) << n;
  const BridgeEvidence few = run(good(30));  // enough for a fit, too few for an error
  EXPECT_TRUE(std::isfinite(few.log_evidence.value));
  EXPECT_TRUE(std::isfinite(few.log_evidence.standard_error));
  EXPECT_THROW(bridge_evidence(model, good(200), {.broad = 0}, context()), InputError);
}

// Exact draws: y = 0 is seen with the prior's own variance, so that the posterior has half of it.
Population of_unit_gaussian(const Model& model, std::size_t n, std::uint64_t seed) {
  Population x(model, n);
  Streams({.seed = seed}).fill_normal({.purpose = Purpose::other}, x.theta);
  for (std::size_t j = 0; j < x.theta.rows(); ++j)
    for (double& v : x.theta.row(j)) v *= std::sqrt(0.5);
  model.parameters().unconstrain(x.theta, x.z);
  complete(model, x);
  return x;
}

TEST(Bridge, ToADensityOfOtherDraws) {
  EXPECT_FALSE(too_few_for_halves(1000, 100));
  EXPECT_TRUE(too_few_for_halves(999, 100));
  const problems::Problem problem = problems::unit_gaussian(40);
  constexpr std::size_t kSeeds = 40, kDraws = 200;  // five draws a coordinate, or half of that
  ASSERT_TRUE(too_few_for_halves(kDraws, 40));
  double sum = 0, squares = 0, variance = 0, halves = 0;
  for (std::uint32_t r = 0; r < kSeeds; ++r) {
    const Population first = of_unit_gaussian(*problem.model, kDraws, 100 + r);
    const Population second = of_unit_gaussian(*problem.model, kDraws, 200 + r);
    const FittedMixture density = bridge_density(*problem.model, first, {}, context(r));
    const BridgeEvidence b = bridge_evidence(*problem.model, second, density, {}, context(kSeeds + r));
    EXPECT_TRUE(b.usable) << b.reason;
    EXPECT_EQ(b.evaluations, 10 * kDraws);
    EXPECT_EQ(b.components + 2, density.components().size());
    EXPECT_NEAR(b.agreement.gap, 0,
                4 * std::hypot(b.log_evidence.standard_error, b.agreement.importance.standard_error));
    const double off = b.log_evidence.value - problem.log_evidence;
    const double other =
        bridge_evidence(*problem.model, second, {}, context(r)).log_evidence.value - problem.log_evidence;
    sum += off;
    squares += off * off;
    halves += other * other;
    variance += b.log_evidence.standard_error * b.log_evidence.standard_error / kSeeds;
  }
  const double mean = sum / kSeeds, sd = std::sqrt((squares - kSeeds * mean * mean) / (kSeeds - 1));
  EXPECT_NEAR(mean, 0, 4 * sd / std::sqrt(static_cast<double>(kSeeds)));
  EXPECT_GT(std::sqrt(variance) / sd, 0.7);
  EXPECT_LT(std::sqrt(variance) / sd, 1.5);
  EXPECT_LT(squares, halves);  // a fit to all draws of another run is better than one to half of the own
}

// Particles and density may each know one mode of two. What the other knows still counts.
TEST(Bridge, ToADensityThatMissesAMode) {
  const problems::Problem problem = test::plane_with_two_modes();
  const Population both = test::in_the_plane(*problem.model, true), one = test::in_the_plane(*problem.model, false);
  const FittedMixture half = bridge_density(*problem.model, one, {}, context());
  const BridgeEvidence b = bridge_evidence(*problem.model, both, half, {}, context(1));
  EXPECT_NEAR(b.log_evidence.value, problem.log_evidence, 4 * b.log_evidence.standard_error);
  // And the other way round: fresh draws find what the particles have missed.
  const FittedMixture whole = bridge_density(*problem.model, both, {}, context());
  const BridgeEvidence missed = bridge_evidence(*problem.model, one, whole, {}, context(1));
  EXPECT_NEAR(missed.log_evidence.value, problem.log_evidence, 4 * missed.log_evidence.standard_error);
  // Where neither knows it, the broad draws do: few of them hit, so that now and then nothing is noticed.
  int noticed = 0;
  for (std::uint32_t r = 0; r < 20; ++r)
    noticed += bridge_evidence(*problem.model, one, half, {}, context(2 + r)).usable ? 0 : 1;
  EXPECT_GE(noticed, 10);
}

TEST(Bridge, AModelWithoutCoordinatesHasItsEvidenceAtHand) {
  const auto model = lift(ParameterSpace(), [](std::span<const double>) { return -3.25; });
  Population x(*model, 10);
  complete(*model, x);
  const BridgeEvidence b = bridge_evidence(*model, x, {}, context());
  EXPECT_EQ(b.log_evidence.value, -3.25);
  EXPECT_EQ(b.log_evidence.standard_error, 0);
  EXPECT_TRUE(b.usable);
}

}  // namespace
}  // namespace evident
