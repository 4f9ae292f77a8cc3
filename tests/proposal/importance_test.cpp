#include "proposal/importance.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "evident/base/error.hpp"
#include "evident/smc/sampler.hpp"
#include "problems/problems.hpp"
#include "proposal/plane.hpp"

namespace evident {
namespace {

const Executor kAlone(1);

Context context(std::uint32_t replicate = 0) { return {Streams({.seed = 3141, .replicate = replicate}), kAlone}; }

Run short_run(const problems::Problem& problem, std::uint32_t replicate = 0) {
  return direct_evidence(*problem.model, {.particles = 800, .schedule = CessSchedule{0.95}}, context(replicate));
}

TEST(Importance, FindsKnownEvidences) {
  for (const auto& problem :
       {problems::conjugate_normal(10, 1), problems::conjugate_normal(10, 5), problems::equicorrelated_gaussian(6),
        problems::log_exponential(3), problems::rosenbrock_pairs(2), problems::two_modes()}) {
    const ImportanceEvidence e = importance_evidence(*problem.model, short_run(problem).particles, {}, context());
    EXPECT_TRUE(e.usable) << problem.name << ": " << e.reason;
    EXPECT_GT(e.log_evidence.standard_error, 0) << problem.name;
    EXPECT_LT(e.log_evidence.standard_error, 0.2) << problem.name;
    EXPECT_NEAR(e.log_evidence.value, problem.log_evidence, 4 * e.log_evidence.standard_error) << problem.name;
    EXPECT_GT(e.evaluations, 0U);
    EXPECT_LE(e.evaluations, 6 * 512 + 3 * 2048U);
  }
}

// The reported error against the spread over seeds, and the mean against the truth.
TEST(Importance, ErrorIsHonest) {
  constexpr std::uint32_t kSeeds = 60;
  for (const auto& problem : {problems::conjugate_normal(10, 3), problems::rosenbrock_pairs(2)}) {
    double sum = 0, squares = 0, variance = 0;
    for (std::uint32_t r = 0; r < kSeeds; ++r) {
      const ImportanceEvidence e = importance_evidence(*problem.model, short_run(problem, r).particles, {}, context(r));
      const double off = e.log_evidence.value - problem.log_evidence;
      sum += off;
      squares += off * off;
      variance += e.log_evidence.standard_error * e.log_evidence.standard_error / kSeeds;
    }
    const double mean = sum / kSeeds, sd = std::sqrt((squares - kSeeds * mean * mean) / (kSeeds - 1));
    // Thin tails that the draws miss may make it a little low.
    EXPECT_NEAR(mean, 0, 0.01 + 4 * sd / std::sqrt(double{kSeeds})) << problem.name;
    EXPECT_GT(std::sqrt(variance) / sd, 0.7) << problem.name;
    EXPECT_LT(std::sqrt(variance) / sd, 2.5) << problem.name;
  }
}

// The prior among the draws finds a mode that no particle has seen, and the fit goes there.
TEST(Importance, FindsAModeThatTheParticlesMiss) {
  const problems::Problem problem = test::plane_with_two_modes();
  const ImportanceOptions options{.round = 1024, .prior = 0.2};
  for (const bool both : {true, false}) {
    const ImportanceEvidence e =
        importance_evidence(*problem.model, test::in_the_plane(*problem.model, both), options, context());
    EXPECT_TRUE(e.usable) << e.reason;
    EXPECT_NEAR(e.log_evidence.value, problem.log_evidence, 4 * e.log_evidence.standard_error) << both;
    EXPECT_LT(e.log_evidence.standard_error, 0.2);
  }
}

// Draws that hardly go where the particles are must not be believed: here the learning is switched off, and the prior
// is the only density that goes there.
TEST(Importance, SaysWhenDrawsMissTheParticles) {
  const problems::Problem problem = problems::narrow_gaussian(20);
  const auto run = direct_evidence(*problem.model, {.particles = 200, .schedule = CessSchedule{0.5}}, context());
  const ImportanceEvidence e =
      importance_evidence(*problem.model, run.particles, {.components = 1, .rounds = 0, .most = 1024}, context());
  EXPECT_FALSE(e.usable);
  EXPECT_FALSE(e.reason.empty());
}

TEST(Importance, TheSameEveryTimeAndOtherForOtherSeeds) {
  const problems::Problem problem = problems::conjugate_normal(5, 2);
  const auto run = short_run(problem);
  const auto value = [&](std::uint32_t replicate) {
    return importance_evidence(*problem.model, run.particles, {}, context(replicate)).log_evidence.value;
  };
  EXPECT_EQ(value(1), value(1));
  EXPECT_NE(value(1), value(2));
}

TEST(Importance, RefusesParticlesWithoutDensity) {
  const problems::Problem problem = problems::conjugate_normal(5, 2);
  auto run = short_run(problem);
  run.particles.log_likelihood[3] = -kInf;
  EXPECT_THROW(importance_evidence(*problem.model, run.particles, {}, context()), RunError);
}

}  // namespace
}  // namespace evident
