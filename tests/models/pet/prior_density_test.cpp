#include "models/pet/prior_density.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "evident/base/log_math.hpp"
#include "models/pet/prior.hpp"
#include "support/every_target.hpp"

namespace evident {
namespace {

class PetPriorDensity : public test::EveryTarget {};
INSTANTIATE_TEST_SUITE_P(Simd, PetPriorDensity, test::targets());

std::vector<PetOptions> settings() {
  std::vector<PetOptions> all = {zhou2013_n(1), zhou2013_n(2), zhou2013_n(3),
                                 zhou2013_i(3), zhou2013_n(2), zhou2013_n(2)};
  all[4].marginal_precision = true;
  all[5].theta = {{1e-4, 1e-3}, {5e-4, 1e-1}};  // a lower bound that may lie above the rate before
  return all;
}

// The parameter space, parameter by parameter, is the plain twin.
TEST_P(PetPriorDensity, EqualsTheParameterSpace) {
  for (const PetOptions& options : settings()) {
    const ParameterSpace space = pet::make_parameters(options);
    const auto raised = pet::raised_bounds(options);
    const pet::PriorDensity prior(options);
    for (std::size_t n = 1; n <= 17; ++n) {
      BlockStorage theta(space.size(), n);
      space.draw(Streams({.seed = n}), 0, theta);
      pet::mend_draws(options, theta);
      // Every fifth one is pushed out of its support, in another parameter each time.
      for (std::size_t i = 0; i < n; i += 5) theta(i % space.size(), i) *= i % 2 == 0 ? -1.0 : 1e6;
      std::vector<double> expected(n), got(n);
      space.log_density(theta, expected);
      pet::mend_log_density(raised, theta, expected);
      pet::log_density(prior, theta, got);
      for (std::size_t i = 0; i < n; ++i) {
        if (expected[i] == -kInf) {
          ASSERT_EQ(got[i], -kInf) << n << " " << i;
        } else {
          ASSERT_NEAR(got[i], expected[i], 1e-12 * (1 + std::abs(expected[i]))) << n << " " << i;
        }
      }
    }
  }
}

// theta from z in one pass, against the parameter space and the prior density, one after the other.
TEST_P(PetPriorDensity, ConstrainsAsTheParameterSpaceDoes) {
  for (std::size_t m = 1; m <= 4; ++m)
    for (const bool apart : {false, true}) {
      PetOptions options = zhou2013_n(m);
      options.marginal_precision = true;
      options.scale = Scale::logit;
      if (apart) options.theta = {{1e-4, 1e-3}, {1e-3, 1e-1}};  // the second rate is free of the first
      ASSERT_TRUE(pet::constrains_in_one_pass(options));
      const ParameterSpace space = pet::make_parameters(options);
      const pet::PriorDensity prior(options);
      for (std::size_t n = 1; n <= 17; ++n) {
        BlockStorage z(space.size(), n), theta(space.size(), n), wanted(space.size(), n);
        for (std::size_t j = 0; j < space.size(); ++j) {
          const auto some = normals(n, 3.0, static_cast<std::uint32_t>(j));
          for (std::size_t i = 0; i < n; ++i) z(j, i) = some[i];
        }
        if (n > 4) z(0, 4) = kNaN, z(m - 1, 3) = -kInf, z(2 * m - 1, 2) = 30;
        std::vector<double> density(n), jacobian(n), log_prior(n), log_jacobian(n);
        space.constrain(z, wanted, log_jacobian);
        pet::log_density(prior, wanted, log_prior);
        pet::constrain(prior, z, theta, density, jacobian);
        for (std::size_t i = 0; i < n; ++i) {
          const double sum = log_prior[i] + log_jacobian[i];
          if (!(sum > -kInf)) {
            ASSERT_EQ(density[i], -kInf) << m << " " << n << " " << i;
            continue;
          }
          ASSERT_NEAR(density[i], sum, 1e-12 * (1 + std::abs(sum))) << m << " " << n << " " << i;
          ASSERT_NEAR(jacobian[i], log_jacobian[i], 1e-12 * (1 + std::abs(log_jacobian[i])));
          for (std::size_t j = 0; j < space.size(); ++j)
            ASSERT_NEAR(theta(j, i), wanted(j, i), 1e-14 * wanted(j, i)) << m << " " << n << " " << i;
        }
      }
    }
}

TEST(PetPriorDensityOptions, OnePassNeedsLogitsOfPlainBounds) {
  PetOptions options = zhou2013_n(2);
  EXPECT_FALSE(pet::constrains_in_one_pass(options));
  options.marginal_precision = true;
  options.scale = Scale::logit;
  EXPECT_TRUE(pet::constrains_in_one_pass(options));
  options.theta = {{1e-4, 1e-3}, {5e-4, 1e-1}};
  EXPECT_FALSE(pet::constrains_in_one_pass(options));
}

}  // namespace
}  // namespace evident
