#include "baseline/rjmcmc.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "evident/base/error.hpp"
#include "problems/sums.hpp"

namespace evident {
namespace {

using problems::Sums;
using problems::sums_data;

TEST(Rjmcmc, ExactModelProbabilities) {
  const Sums family(sums_data(), std::make_shared<CountPrior>(CountPrior::geometric(0.3)));
  const std::vector<double> exact = family.probabilities(80);
  const Executor executor(2);
  const auto run =
      rjmcmc(family, {.chains = 16, .burn_in = 300, .iterations = 4000}, {}, {Streams({.seed = 4}), executor});
  for (ModelIndex k = 1; k <= 6; ++k) {
    const ModelVisits& v = run.visits.at(k);
    EXPECT_NEAR(v.share.value, exact[k - 1], 3 * v.share.standard_error)
        << k << ", standard error " << v.share.standard_error;
    EXPECT_LT(v.share.standard_error, 0.02) << k;
  }
  // In model 1 the posterior of theta is normal: mean sum / (n + 1), variance 1 / (n + 1).
  const Population& draws = run.visits.at(1).draws;
  double sum = 0, mean = 0;
  for (const double v : sums_data()) sum += v;
  for (const double v : draws.theta.row(0)) mean += v / static_cast<double>(draws.size());
  EXPECT_NEAR(mean, sum / 7, 0.1);
  double total = 0;
  for (const auto& [k, v] : run.visits) total += v.share.value;
  EXPECT_NEAR(total, 1, 1e-12);
}

TEST(Rjmcmc, BatchMeansErrorsAreHonest) {
  // The spread of independent runs is what the errors claim, within a factor that 16 runs allow.
  const Sums family(sums_data(), std::make_shared<CountPrior>(CountPrior::uniform(1, 3)));
  const Executor executor(1);
  double squares = 0, claimed = 0;
  const double exact = family.probabilities(3)[1];
  for (std::uint32_t r = 0; r < 16; ++r) {
    const auto run = rjmcmc(family, {.chains = 4, .burn_in = 200, .iterations = 2000}, {},
                            {Streams({.seed = 6, .replicate = r}), executor});
    squares += std::pow(run.visits.at(2).share.value - exact, 2) / 16;
    claimed += std::pow(run.visits.at(2).share.standard_error, 2) / 16;
  }
  EXPECT_GT(claimed, squares / 3.5);
  EXPECT_LT(claimed, squares * 3.5);
}

TEST(Rjmcmc, ThinningAndOptions) {
  const Sums family(sums_data(), std::make_shared<CountPrior>(CountPrior::uniform(2, 2)));
  const Executor executor(1);
  const Context context{Streams({.seed = 1}), executor};
  const auto run = rjmcmc(family, {.chains = 2, .burn_in = 100, .iterations = 100, .thin = 10}, {}, context);
  EXPECT_EQ(run.visits.at(2).draws.size(), 20U);
  EXPECT_EQ(run.visits.at(2).share.value, 1);
  EXPECT_THROW(rjmcmc(family, {.chains = 0}, {}, context), InputError);
  EXPECT_THROW(rjmcmc(family, {.burn_in = 1}, {}, context), InputError);
  EXPECT_THROW(rjmcmc(family, {.iterations = 1}, {}, context), InputError);
  EXPECT_THROW(rjmcmc(family, {.thin = 0}, {}, context), InputError);
}

}  // namespace
}  // namespace evident
