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

}  // namespace
}  // namespace evident
