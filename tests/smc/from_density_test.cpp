#include "smc/from_density.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "evidence/variance.hpp"
#include "evident/evidence/estimate.hpp"
#include "problems/problems.hpp"
#include "proposal/quick_mixture.hpp"

namespace evident {
namespace {

// A density that is centred beside the posterior and too wide still leads to the evidence, over a short path.
TEST(FromDensity, ShortPathToTheSameEvidence) {
  const problems::Problem problem = problems::conjugate_normal(10, 2);
  const Executor alone(1);
  const SmcOptions options{.particles = 1000, .schedule = CessSchedule{0.95}};
  const auto from_prior = direct_evidence(*problem.model, options, {Streams({.seed = 3}), alone});
  const std::size_t d = from_prior.particles.z.rows();
  std::vector<double> mean(d), root(d * d);
  for (std::size_t j = 0; j < d; ++j) {
    for (const double v : from_prior.particles.z.row(j)) mean[j] += v / 1000;
    double squares = 0;
    for (const double v : from_prior.particles.z.row(j)) squares += (v - mean[j]) * (v - mean[j]) / 1000;
    root[j * d + j] = 2 * std::sqrt(squares);
    mean[j] += std::sqrt(squares);
  }
  QuickMixture density(d);
  density.add(0.7, mean, root);
  for (double& v : root) v *= 2;
  density.add(0.3, mean, root);

  double sum = 0, variance = 0;
  constexpr std::uint32_t kSeeds = 8;
  for (std::uint32_t r = 0; r < kSeeds; ++r) {
    const auto run = from_density(*problem.model, density, options, {Streams({.seed = 4, .replicate = r}), alone});
    sum += standard_estimate(run.trace) - problem.log_evidence;
    const double error = evidence_variance(run.trace).standard_error();
    ASSERT_GT(error, 0);
    variance += error * error;
    EXPECT_LT(run.trace.steps.size(), from_prior.trace.steps.size());
  }
  EXPECT_LT(std::sqrt(variance / kSeeds), 0.2);
  EXPECT_NEAR(sum / kSeeds, 0, 4 * std::sqrt(variance) / kSeeds);
}

}  // namespace
}  // namespace evident
