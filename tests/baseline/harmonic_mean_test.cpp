#include "baseline/harmonic_mean.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "baseline/estimates.hpp"
#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "evident/model/model.hpp"
#include "problems/problems.hpp"

namespace evident {
namespace {

using test::column;
using test::expect_near;
using test::repeat;

struct Estimates {
  double harmonic = 0, gelfand_dey = 0, error = 0, inside = 0;
};

std::vector<Estimates> estimates(const Model& model, const PosteriorChainOptions& options, std::uint32_t seeds) {
  return repeat(seeds, [&](const Context& context) {
    const HarmonicMeanRun run = harmonic_mean(model, options, context);
    return Estimates{run.harmonic_mean.value, run.gelfand_dey.value, run.gelfand_dey.standard_error, run.inside};
  });
}

HarmonicMeanRun run_once(const Model& model, const PosteriorChainOptions& options, unsigned threads = 1) {
  const Executor executor(threads);
  return harmonic_mean(model, options, {Streams({.seed = 4}), executor});
}

TEST(GelfandDey, FindsTheEvidenceOfAConjugateModel) {
  const auto problem = problems::conjugate_normal(10, 3);
  const auto e = estimates(*problem.model, {.burn_in = 100, .iterations = 200}, 10);
  expect_near(column(e, &Estimates::gelfand_dey), problem.log_evidence, 0, 0.01, "Gelfand and Dey");
  const auto inside = mean_error(column(e, &Estimates::inside));
  EXPECT_NEAR(inside.mean, 0.8, 0.05);  // in a normal posterior the lowest tenth lies outside the ellipsoid anyway
  const double sd = mean_error(column(e, &Estimates::gelfand_dey)).sd;
  const double told = mean_error(column(e, &Estimates::error)).mean;
  EXPECT_GT(told, 0.4 * sd);
  EXPECT_LT(told, 2.5 * sd);
}

TEST(GelfandDey, KnowsTheJacobian) {
  // The posterior of p is far from its bounds, but z is its logit.
  const auto problem = problems::beta_bernoulli(2, 2);
  const auto e = estimates(*problem.model, {.burn_in = 100, .iterations = 200}, 10);
  expect_near(column(e, &Estimates::gelfand_dey), problem.log_evidence, 0, 0.01, "Gelfand and Dey");
}

TEST(GelfandDey, KnowsWhereThePosteriorEnds) {
  // Half of the prior is impossible: a part of the fitted normal lies where there is no posterior.
  ParameterSpace space;
  space.add("x", normal(0, 1));
  const auto model = lift(space, [](std::span<const double> t) { return t[0] > 0 ? 0.0 : -kInf; });
  const auto e = estimates(*model, {.burn_in = 100, .iterations = 300}, 10);
  expect_near(column(e, &Estimates::gelfand_dey), std::log(0.5), 0, 0.02, "Gelfand and Dey");
}

TEST(GelfandDey, OneChainAloneWillDo) {
  const auto problem = problems::conjugate_normal(10, 1);
  const auto e = estimates(*problem.model, {.chains = 1, .burn_in = 300, .iterations = 3000}, 8);
  expect_near(column(e, &Estimates::gelfand_dey), problem.log_evidence, 0, 0.05, "Gelfand and Dey");
}

TEST(GelfandDey, SaysWhenThereAreSeveralModes) {
  const auto run = run_once(*problems::two_modes().model, {.burn_in = 50, .iterations = 100});
  EXPECT_LT(run.inside, 0.9);
  EXPECT_THAT(run.warnings, testing::Contains(testing::HasSubstr("not like one normal")));
}

TEST(HarmonicMean, IsRightWhereItsVarianceIsFinite) {
  // The likelihood is wider than the prior, so that its inverse has moments of every order that matter.
  ParameterSpace space;
  space.add("x", normal(0, 1));
  const auto model = lift(space, [](std::span<const double> t) { return normal(1, 3).log_density(t[0]); });
  const auto e = estimates(*model, {.burn_in = 100, .iterations = 300}, 10);
  expect_near(column(e, &Estimates::harmonic), normal(0, std::sqrt(10.0)).log_density(1), 0, 0.01, "harmonic");
}

TEST(HarmonicMean, WarnsAlways) {
  const auto problem = problems::conjugate_normal(10, 1);
  const auto run = run_once(*problem.model, {.burn_in = 50, .iterations = 50});
  EXPECT_THAT(run.warnings, testing::Contains(testing::HasSubstr("its variance may be infinite")));
  EXPECT_EQ(run.draws.size(), 64U * 50U);
  EXPECT_GT(run.evaluations, 0U);
}

TEST(PosteriorChain, SameBitsForAnyNumberOfThreads) {
  const auto problem = problems::conjugate_normal(10, 2);
  const PosteriorChainOptions options{.chains = 100, .burn_in = 50, .iterations = 20};
  EXPECT_EQ(run_once(*problem.model, options, 1).gelfand_dey.value,
            run_once(*problem.model, options, 3).gelfand_dey.value);
}

TEST(PosteriorChain, DrawsAreThePosterior) {
  const auto problem = problems::conjugate_normal(50, 1);
  const Executor executor(2);
  const auto run = posterior_chain(*problem.model, {}, {Streams({.seed = 4}), executor});
  double mean = 0, square = 0;
  const auto n = static_cast<double>(run.draws.size());
  for (const double x : run.draws.theta.row(0)) mean += x / n;
  for (const double x : run.draws.theta.row(0)) square += (x - mean) * (x - mean) / n;
  EXPECT_NEAR(std::sqrt(50.25 * square), 1, 0.03);
  EXPECT_GT(run.acceptance, 0.1);
  EXPECT_THROW(posterior_chain(*problem.model, {.chains = 0}, {Streams({.seed = 4}), executor}), InputError);
}

TEST(HarmonicMean, ChecksItsOptions) {
  const auto problem = problems::conjugate_normal(10, 2);
  const Executor executor(1);
  EXPECT_THROW(harmonic_mean(*problem.model, {}, {Streams({.seed = 4}), executor}, 1.5), InputError);
  EXPECT_THROW(run_once(*problem.model, {.chains = 1, .iterations = 2}), InputError);
}

}  // namespace
}  // namespace evident
