#include "baseline/population_mcmc.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "baseline/estimates.hpp"
#include "baseline/ladder.hpp"
#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "evident/model/model.hpp"
#include "problems/problems.hpp"
#include "support/own_start.hpp"

namespace evident {
namespace {

using test::column;
using test::expect_near;
using test::repeat;

PopulationMcmcOptions small() {
  return {.chains = 20, .ladder = PowerSchedule{.power = 4}, .burn_in = 400, .iterations = 1500};
}

struct Estimates {
  double trapezoid = 0, corrected = 0, stepping = 0, error = 0;
};

std::vector<Estimates> estimates(const Model& model, const PopulationMcmcOptions& options, std::uint32_t seeds) {
  return repeat(seeds, [&](const Context& context) {
    const PopulationMcmcRun run = population_mcmc(model, options, context);
    return Estimates{run.log_evidence.value, run.log_evidence_corrected, run.log_evidence_stepping,
                     run.log_evidence.standard_error};
  });
}

PopulationMcmcRun run_once(const Model& model, const PopulationMcmcOptions& options, unsigned threads = 1) {
  const Executor executor(threads);
  return population_mcmc(model, options, {Streams({.seed = 4}), executor});
}

class EveryOption : public testing::TestWithParam<PopulationMcmcOptions> {};
INSTANTIATE_TEST_SUITE_P(
    PopulationMcmc, EveryOption,
    testing::Values(
        small(),
        PopulationMcmcOptions{.chains = 20,
                              .ladder = PowerSchedule{.power = 4},
                              .update = ChainUpdate::serial,
                              .burn_in = 3000,
                              .iterations = 15000},
        PopulationMcmcOptions{.chains = 12,
                              .ladder = LinearSchedule{},
                              .adaptive_ladder = true,
                              .burn_in = 600,
                              .iterations = 1500,
                              .ladders = 4},
        PopulationMcmcOptions{.chains = 20, .burn_in = 300, .iterations = 1000, .kernel = {.kind = KernelKind::mala}},
        PopulationMcmcOptions{.chains = 20,
                              .ladder = PowerSchedule{.power = 4},
                              .burn_in = 300,
                              .iterations = 2000,
                              .kernel = {.scale_rule = ScaleRule::manual,
                                         .manual = [](std::size_t, double a) { return 2 / std::sqrt(1 + 40 * a); }}}));

TEST_P(EveryOption, FindsTheEvidenceOfAConjugateModel) {
  const auto problem = problems::conjugate_normal(10, 3);
  const auto e = estimates(*problem.model, GetParam(), 8);
  expect_near(column(e, &Estimates::stepping), problem.log_evidence, 0, 0.1, "stepping stones");
  expect_near(column(e, &Estimates::corrected), problem.log_evidence, 0.02, 0.1, "corrected");
}

TEST(PopulationMcmc, TrapezoidIsTooLowOnACoarseLadderAndTheCorrectionHelps) {
  const auto problem = problems::conjugate_normal(10, 3);
  PopulationMcmcOptions options = small();
  options.chains = 8;
  const auto e = estimates(*problem.model, options, 6);
  const double low = mean_error(column(e, &Estimates::trapezoid)).mean;
  EXPECT_LT(low, problem.log_evidence - 0.1);  // the mean log likelihood is concave in alpha, above its chords
  expect_near(column(e, &Estimates::corrected), problem.log_evidence, 0.5 * (problem.log_evidence - low), 0.1, "");
}

TEST(PopulationMcmc, TwoModes) {
  const auto problem = problems::two_modes();
  PopulationMcmcOptions options{.chains = 20, .burn_in = 2000, .iterations = 6000};
  options.adaptive_ladder = true;
  const auto e = estimates(*problem.model, options, 6);
  expect_near(column(e, &Estimates::stepping), problem.log_evidence, 0, 0.2, "stepping stones");
}

TEST(PopulationMcmc, StandardErrorsAreTheSpreadOverSeeds) {
  const auto problem = problems::conjugate_normal(5, 2);
  PopulationMcmcOptions options{.chains = 8, .burn_in = 200, .iterations = 500};
  for (const std::size_t ladders : {std::size_t{1}, std::size_t{6}}) {
    options.ladders = ladders;
    const auto e = estimates(*problem.model, options, 40);
    const double sd = mean_error(column(e, &Estimates::trapezoid)).sd;
    const double told = mean_error(column(e, &Estimates::error)).mean;
    // The sd of 40 values is known to 11%; batches of short chains are a little correlated.
    EXPECT_GT(told, 0.6 * sd) << ladders << " ladders";
    EXPECT_LT(told, 1.5 * sd) << ladders << " ladders";
  }
}

TEST(PopulationMcmc, SameBitsForAnyNumberOfThreads) {
  const auto problem = problems::conjugate_normal(5, 2);
  PopulationMcmcOptions options = small();
  options.iterations = 200;
  options.adaptive_ladder = true;
  const auto one = run_once(*problem.model, options, 1), three = run_once(*problem.model, options, 3);
  EXPECT_EQ(one.log_evidence.value, three.log_evidence.value);
  EXPECT_EQ(one.alphas, three.alphas);
  EXPECT_EQ(one.evaluations, three.evaluations);
  EXPECT_EQ(std::memcmp(one.draws.z.row(0).data(), three.draws.z.row(0).data(), one.draws.size() * sizeof(double)), 0);
}

TEST(PopulationMcmc, DrawsAtAlphaOneAreThePosterior) {
  const auto problem = problems::conjugate_normal(50, 1);
  const auto run = run_once(*problem.model, {.chains = 10, .burn_in = 300, .iterations = 8000});
  EXPECT_LE(run.draws.size(), 2000U);
  EXPECT_GE(run.draws.size(), 1000U);
  double mean = 0, square = 0;
  for (const double x : run.draws.theta.row(0)) mean += x / static_cast<double>(run.draws.size());
  for (const double x : run.draws.theta.row(0))
    square += (x - mean) * (x - mean) / static_cast<double>(run.draws.size());
  EXPECT_NEAR(std::sqrt(square), 1 / std::sqrt(50.25), 0.1 / std::sqrt(50.25));
  EXPECT_EQ(run.alphas.size(), 10U);
  EXPECT_EQ(run.mean.size(), 10U);
  EXPECT_EQ(run.ladder_mean.size(), 1U);
  EXPECT_EQ(run.exchange_acceptance.size(), 9U);
  EXPECT_EQ(run.acceptance[0], 1.0);
  EXPECT_GT(run.acceptance[9], 0.1);
}

ParameterSpace one_normal(double sd) {
  ParameterSpace space;
  space.add("x", normal(0, sd));
  return space;
}

TEST(PopulationMcmc, ImpossibleHalfCountsIntoTheEvidence) {
  const auto model = lift(one_normal(1), [](std::span<const double> t) { return t[0] > 0 ? 0.0 : -kInf; });
  const PopulationMcmcOptions options{.chains = 4, .burn_in = 50, .iterations = 1000};
  expect_near(column(estimates(*model, options, 10), &Estimates::trapezoid), std::log(0.5), 0, 0.05, "half");
  const auto run = run_once(*model, options);
  EXPECT_EQ(run.mean[0], -kInf);
  EXPECT_EQ(run.start, 1U);
}

TEST(PopulationMcmc, WildPriorStartsWhereItCan) {
  // Draws from the prior have log likelihoods of about -1e12: no rule integrates that.
  const auto model = lift(one_normal(1e6), [](std::span<const double> t) { return normal(3, 1).log_density(t[0]); });
  const PopulationMcmcOptions options{
      .chains = 40, .ladder = PowerSchedule{.power = 8}, .burn_in = 500, .iterations = 2000};
  const auto e = estimates(*model, options, 6);
  const double exact = normal(0, 1e6).log_density(3);
  expect_near(column(e, &Estimates::stepping), exact, 0, 0.5, "stepping stones");
}

TEST(PopulationMcmc, InitialDistributionMayDifferFromThePrior) {
  const test::OwnStart model;
  const auto e = estimates(model, {.chains = 20, .burn_in = 100, .iterations = 1000}, 10);
  expect_near(column(e, &Estimates::stepping), normal(1, std::sqrt(1.25)).log_density(0), 0, 0.05, "stepping stones");
  const auto run = run_once(model, {.chains = 4, .burn_in = 10, .iterations = 1000});
  EXPECT_LT(run.acceptance[0], 0.9);
  EXPECT_GT(run.acceptance[0], 0.4);
}

TEST(PopulationMcmc, ImpossibleEverywhereIsSaid) {
  const auto model = lift(one_normal(1), [](std::span<const double>) { return -kInf; });
  EXPECT_THROW(run_once(*model, small()), RunError);
}

TEST(PopulationMcmc, AdaptiveLadderEvensOutTheExchanges) {
  const auto problem = problems::narrow_gaussian(4);
  PopulationMcmcOptions options{.chains = 12, .ladder = LinearSchedule{}, .burn_in = 2000, .iterations = 1000};
  const auto spread = [](const PopulationMcmcRun& run) {
    const auto [low, high] = std::minmax_element(run.exchange_acceptance.begin(), run.exchange_acceptance.end());
    return *high - *low;
  };
  const auto fixed = run_once(*problem.model, options);
  options.adaptive_ladder = true;
  const auto adapted = run_once(*problem.model, options);
  EXPECT_GT(spread(fixed), 0.5);
  EXPECT_LT(spread(adapted), 0.15);
  EXPECT_EQ(adapted.alphas.front(), 0.0);
  EXPECT_EQ(adapted.alphas.back(), 1.0);
  EXPECT_TRUE(std::is_sorted(adapted.alphas.begin(), adapted.alphas.end()));
}

TEST(PopulationMcmc, StopsWhenAskedAndChecksItsOptions) {
  const auto problem = problems::conjugate_normal(5, 2);
  const Executor executor(1);
  std::stop_source source;
  source.request_stop();
  EXPECT_THROW(population_mcmc(*problem.model, {}, {Streams({.seed = 1}), executor, source.get_token()}), RunError);
  EXPECT_THROW(run_once(*problem.model, {.chains = 1}), InputError);
  EXPECT_THROW(run_once(*problem.model, {.ladder = CessSchedule{}}), InputError);
  EXPECT_THROW(run_once(*problem.model, {.iterations = 0}), InputError);
  EXPECT_THROW(run_once(*problem.model, {.ladders = 0}), InputError);
}

TEST(Ladder, HasTheShapeAskedFor) {
  EXPECT_THAT(ladder(LinearSchedule{}, 5), testing::ElementsAre(0, 0.25, 0.5, 0.75, 1));
  EXPECT_THAT(ladder(PowerSchedule{.power = 2}, 3), testing::ElementsAre(0, 0.25, 1));
  EXPECT_THAT(ladder(ListSchedule{{0.1, 1}}, 30), testing::ElementsAre(0, 0.1, 1));
}

TEST(Ladder, IsSpreadOverTheBarrier) {
  const std::vector<double> alphas = {0, 0.1, 0.5, 1}, rejection = {0.6, 0.2, 0.1};
  const auto next = respaced(alphas, rejection);
  EXPECT_THAT(next, testing::ElementsAre(0, testing::DoubleNear(0.05, 1e-12), testing::DoubleNear(0.1, 1e-12), 1));
}

}  // namespace
}  // namespace evident
