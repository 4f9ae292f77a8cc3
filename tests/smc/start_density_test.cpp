#include "smc/start_density.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/statistics.hpp"
#include "evidence/variance.hpp"
#include "evident/evidence/estimate.hpp"
#include "problems/modes.hpp"
#include "scout/mode_mixture.hpp"
#include "smc/from_density.hpp"

namespace evident {
namespace {

FittedMixture two_components() {
  return FittedMixture({MixtureComponent{.weight = 0.75, .df = 5, .mean = {-1, 0}, .root = {0.3, 0, 0.1, 0.2}},
                        MixtureComponent{.weight = 0.25, .df = 5, .mean = {2, 1}, .root = {0.1, 0, 0, 0.4}}});
}

std::shared_ptr<const Model> flat_in_a_square() {
  ParameterSpace space;
  space.add("x", uniform(-6, 6));
  space.add("y", uniform(-6, 6));
  return lift(space, [](std::span<const double>) { return 0.0; });
}

/// The log density of U(-6, 6)^2 on the logit scale, by hand.
double log_logistic(ConstBlock z, std::size_t i) {
  double sum = 0;
  for (std::size_t j = 0; j < z.rows(); ++j)
    sum += -std::abs(z.row(j)[i]) - 2 * std::log1p(std::exp(-std::abs(z.row(j)[i])));
  return sum;
}

TEST(PriorAndModes, TheDensityIsThatOfTheMixture) {
  const auto model = flat_in_a_square();
  const FittedMixture modes = two_components();
  const PriorAndModes start(*model, modes, 0.3);
  BlockStorage z(2, 1000);
  start.draw(Streams({.seed = 1}), 0, z);
  std::vector<double> density(1000), of_modes(1000);
  start.log_density(z, density);
  modes.log_density(z, of_modes);
  for (std::size_t i = 0; i < 1000; ++i)
    EXPECT_NEAR(std::exp(density[i]), 0.3 * std::exp(log_logistic(z, i)) + 0.7 * std::exp(of_modes[i]),
                1e-12 + 1e-9 * std::exp(density[i]));
}

TEST(PriorAndModes, DrawsFollowTheDensity) {
  constexpr std::size_t kDraws = 20'000;
  constexpr double kShare = 0.3;
  const auto model = flat_in_a_square();
  const FittedMixture modes = two_components();
  const PriorAndModes start(*model, modes, kShare);
  BlockStorage z(2, kDraws);
  start.draw(Streams({.seed = 2}), 0, z);
  std::vector<double> density(kDraws), of_modes(kDraws), of_prior(kDraws), first(kDraws);
  start.log_density(z, density);
  modes.log_density(z, of_modes);
  for (std::size_t i = 0; i < kDraws; ++i) {
    of_prior[i] = std::exp(log_logistic(z, i) - density[i]);
    of_modes[i] = std::exp(of_modes[i] - density[i]);
    first[i] = z.row(0)[i];
  }
  // Both parts are densities: their mean ratio to that of the draws is 1.
  EXPECT_NEAR(mean(of_prior), 1, 4 * error_of_mean(of_prior));
  EXPECT_NEAR(mean(of_modes), 1, 4 * error_of_mean(of_modes));
  EXPECT_NEAR(mean(first), (1 - kShare) * (0.75 * -1 + 0.25 * 2), 4 * error_of_mean(first));
  // A column does not depend on those before it.
  BlockStorage later(2, 10);
  start.draw(Streams({.seed = 2}), 100, later);
  for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(later(1, i), z(1, 100 + i));
}

// Whatever the components are worth, and wherever they lie, the evidence is that of the model.
TEST(PriorAndModes, TheEvidenceIsExact) {
  const auto p = problems::unequal_modes(2, 3, 1);
  const Executor alone(1);
  const Scouted found = scout(*p.problem.model, {.most = 50'000}, {Streams({.seed = 3}), alone});
  ASSERT_EQ(found.modes.size(), 3U);
  Scouted without_one = found;
  without_one.modes.pop_back();
  for (const Scouted& known : {found, without_one})
    for (const double share : {0.02, 0.5}) {
      const PriorAndModes start(*p.problem.model, *mode_mixture(known), share);
      const FromDensity path(*p.problem.model, start);
      const SmcOptions options{.particles = 4000, .schedule = CessSchedule{0.99}};
      std::vector<double> log_evidences, variances;
      for (std::uint32_t r = 0; r < 4; ++r) {
        const auto run = direct_evidence(path, options, {Streams({.seed = 4, .replicate = r}), alone});
        log_evidences.push_back(standard_estimate(run.trace));
        variances.push_back(std::pow(evidence_variance(run.trace).standard_error(), 2));
        const Population x = path.particles_of_model(run.particles);
        EXPECT_EQ(x.theta.rows(), 2U);
      }
      const Estimate e = island_evidence(log_evidences, variances);
      EXPECT_NEAR(e.value, p.problem.log_evidence, 4 * e.standard_error) << known.modes.size() << " modes, " << share;
      EXPECT_LT(e.standard_error, 0.1);
    }
}

}  // namespace
}  // namespace evident
