#include "smc/first_particles.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "dist/fitted_mixture.hpp"
#include "evidence/variance.hpp"
#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "evident/evidence/estimate.hpp"
#include "problems/problems.hpp"
#include "smc/data_tempering.hpp"
#include "smc/from_density.hpp"
#include "support/mean_error.hpp"
#include "support/own_start.hpp"

namespace evident {
namespace {

/// The mean of the estimate over every way that draws can go, where a draw is possible with this chance.
double expected_share(const DrawLimits& limits, double chance) {
  std::vector<double> weight = {1};  // [s]: chance of s possible draws so far, and that the draws have not ended
  double mean = 0;
  for (std::size_t made = 1; made <= limits.last; ++made) {
    std::vector<double> next(weight.size() + 1);
    for (std::size_t s = 0; s < weight.size(); ++s) {
      next[s] += (1 - chance) * weight[s];
      next[s + 1] += chance * weight[s];
    }
    for (std::size_t s = 0; s < next.size() && made >= limits.particles; ++s) {
      const bool ends = made == limits.particles ? 2 * s >= made || made == limits.last : limits.reached(made, s);
      if (!ends || next[s] == 0) continue;
      mean += next[s] * share_of_possible(limits, made, s);
      next[s] = 0;
    }
    weight = std::move(next);
  }
  return mean;
}

TEST(FirstDraws, TheShareIsExactlyUnbiased) {
  const std::vector<DrawLimits> all = {{2, 5, 2, 9, 0, 9},         {6, 20, 3, 40, 0, 40},  {7, 15, 7, 60, 0, 60},
                                       {10, 200, 10, 200, 0, 200}, {10, 10, 3, 10, 0, 10}, {40, 120, 20, 400, 0, 400},
                                       {30, 31, 2, 50, 0, 50},     {6, 20, 3, 40, 2, 160}, {6, 40, 3, 40, 2, 160}};
  for (const DrawLimits& limits : all)
    for (const double chance : {0.01, 0.1, 0.3, 0.45, 0.5, 0.55, 0.9, 1.0})
      EXPECT_NEAR(expected_share(limits, chance), chance, 1e-12 + 1e-10 * chance)
          << limits.particles << " particles, chance " << chance;
}

TEST(FirstDraws, TheUsualShares) {
  const DrawLimits limits = DrawLimits::of(1000, 1'000'000);
  EXPECT_EQ(share_of_possible(limits, 1000, 800), 0.8);
  EXPECT_NEAR(share_of_possible(limits, 50'001, 1000), 999.0 / 50'000, 1e-12);   // enough particles
  EXPECT_NEAR(share_of_possible(limits, 100'000, 300), 300.0 / 100'000, 1e-12);  // enough for so many draws
  EXPECT_NEAR(share_of_possible(limits, 1'000'000, 7), 7.0 / 1'000'000, 1e-15);  // all that may be made
  EXPECT_EQ(share_of_possible(limits, 1'000'000, 0), 0);
  const DrawLimits must = DrawLimits::of(1000, 1'000'000, WhenNone::fail);
  EXPECT_NEAR(share_of_possible(must, 2'000'001, 2), 1.0 / 2'000'000, 1e-15);
}

Context context(const Executor& executor, std::uint64_t seed) { return {Streams({.seed = seed}), executor}; }

FirstParticles drawn(const Model& model, const SmcOptions& options, std::uint64_t seed,
                     WhenNone when_none = WhenNone::fail) {
  const Executor executor(1);
  EvaluationCount count;
  return draw_initial(model, options, context(executor, seed), count, when_none);
}

std::size_t possible_particles(const Population& x) {
  return x.size() - static_cast<std::size_t>(std::ranges::count(x.log_likelihood, -kInf));
}

TEST(FirstDraws, NothingChangesWhereHalfOfThemArePossible) {
  const auto problem = problems::possible_square(0.6, 0.1, 0.1);
  const Executor executor(1);
  EvaluationCount count;
  const FirstParticles first = draw_initial(*problem.model, {.particles = 300}, context(executor, 1), count);
  EXPECT_EQ(first.draws.made, 300U);
  EXPECT_EQ(first.draws.possible, possible_particles(first.x));
  EXPECT_EQ(first.log_factor, 0);
  EXPECT_EQ(count.total, 300U);
}

TEST(FirstDraws, AllParticlesArePossibleWhereEnoughAreFound) {
  const auto problem = problems::possible_square(0.05);
  const FirstParticles first = drawn(*problem.model, {.particles = 300}, 1);
  EXPECT_EQ(possible_particles(first.x), 300U);
  EXPECT_EQ(first.draws.possible, 300U);
  EXPECT_NEAR(first.draws.share, 0.05, 3 * 0.05 / std::sqrt(300.0));
  EXPECT_DOUBLE_EQ(first.log_factor, std::log(first.draws.share));
  // Each is what the model says of it.
  AlignedVector<double> log_likelihood(300);
  problem.model->log_likelihood(first.x.theta, log_likelihood);
  for (std::size_t i = 0; i < 300; ++i) EXPECT_EQ(first.x.log_likelihood[i], log_likelihood[i]) << i;
  for (std::size_t i = 1; i < 300; ++i) EXPECT_NE(first.x.theta(0, i), first.x.theta(0, i - 1)) << i;
}

TEST(FirstDraws, EndWhereTheyMay) {
  const auto rare = problems::possible_square(0.002);
  const FirstParticles all = drawn(*rare.model, {.particles = 200, .max_prior_draws = 5000}, 2);
  ASSERT_GE(all.draws.possible, 2U);
  EXPECT_EQ(all.draws.made, 5000U);
  EXPECT_EQ(possible_particles(all.x), all.draws.possible);
  EXPECT_NEAR(all.log_factor, std::log(all.draws.share * 200 / static_cast<double>(all.draws.possible)), 1e-12);
  // 100 draws a particle, and 50 that are possible.
  const FirstParticles enough = drawn(*rare.model, {.particles = 100}, 2);
  EXPECT_GT(enough.draws.made, 10'000U);
  EXPECT_EQ(enough.draws.possible, 50U);
  // A run that must find some goes on until two are possible.
  const auto rarer = problems::possible_square(1e-4);
  const FirstParticles two = drawn(*rarer.model, {.particles = 100, .max_prior_draws = 8000}, 2);
  EXPECT_GT(two.draws.made, 8000U);
  EXPECT_EQ(two.draws.possible, 2U);
  EXPECT_NEAR(two.draws.share, 1 / static_cast<double>(two.draws.made - 1), 1e-12);
  const FirstParticles none_further =
      drawn(*rare.model, {.particles = 200, .max_prior_draws = 0}, 2, WhenNone::evidence_is_0);
  EXPECT_EQ(none_further.draws.made, 200U);
  EXPECT_EQ(none_further.log_factor, 0);
}

/// Z-hat / Z of frozen runs, and what each says of its relative variance.
struct Ratios {
  std::vector<double> z, variance;
  std::size_t empty = 0;
};
Ratios ratios(const problems::Problem& problem, const SmcOptions& options, std::size_t runs) {
  const Executor executor(2), alone(1);
  SmcOptions of_pilot = options;
  of_pilot.max_prior_draws = 1'000'000;
  const FrozenPlan plan = pilot(*problem.model, of_pilot, context(executor, 11)).plan;
  Ratios out{std::vector<double>(runs), std::vector<double>(runs)};
  executor.for_each(runs, [&](std::size_t r) {
    const Trace trace = frozen_evidence(*problem.model, plan, options, {Streams({.seed = 12}).part(r), alone}).trace;
    out.z[r] = std::exp(standard_estimate(trace) - problem.log_evidence);
    out.variance[r] = evidence_variance(trace).relative_variance();
  });
  out.empty = static_cast<std::size_t>(std::ranges::count(out.z, 0.0));
  return out;
}

struct Case {
  const char* name;
  double share;
  SmcOptions options;
};
std::vector<Case> cases() {
  const CessSchedule coarse{0.8};
  const KernelOptions kernel{.passes = 3};
  return {{"about half", 0.5, {.particles = 20, .schedule = coarse, .kernel = kernel}},
          {"enough are found", 0.1, {.particles = 64, .schedule = coarse, .kernel = kernel}},
          {"so many draws", 0.01, {.particles = 64, .schedule = coarse, .kernel = kernel, .max_prior_draws = 1000}},
          {"often none", 0.01, {.particles = 32, .schedule = coarse, .kernel = kernel, .max_prior_draws = 120}},
          {"waste-free",
           0.02,
           {.particles = 64, .schedule = coarse, .kernel = kernel, .waste_free = 4, .max_prior_draws = 2000}},
          {"never resampled",
           0.02,
           {.particles = 64, .schedule = coarse, .resample_threshold = 0, .kernel = kernel, .max_prior_draws = 2000}}};
}

class ImpossibleUnbiased : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Cases, ImpossibleUnbiased, testing::Range(std::size_t{0}, cases().size()));

TEST_P(ImpossibleUnbiased, MeanOfTheFrozenEvidences) {
  const Case c = cases()[GetParam()];
  const Ratios r = ratios(problems::possible_square(c.share), c.options, 1000);
  expect_mean(r.z, 1, c.name);
  EXPECT_LT(mean_error(r.z).standard_error, 0.05) << c.name;
  if (std::string(c.name) == "often none") {
    const double empty = std::pow(0.99, 120);
    EXPECT_NEAR(static_cast<double>(r.empty) / 1000, empty, 3 * std::sqrt(empty * (1 - empty) / 1000));
  }
}

TEST(FirstDraws, RunsKnowTheErrorOfTheShare) {
  for (const std::size_t most : {1'000'000UL, 3000UL}) {
    const SmcOptions options{
        .particles = 128, .schedule = CessSchedule{0.9}, .kernel = {.passes = 10}, .max_prior_draws = most};
    const Ratios r = ratios(problems::possible_square(0.02), options, 300);
    const double seen = mean_error(r.z).sd, said = std::sqrt(mean_error(r.variance).mean);
    EXPECT_NEAR(said / seen, 1, 3 / std::sqrt(2.0 * 299)) << most;
    EXPECT_GT(seen, most > 3000 ? 0.08 : 0.12);  // 128 of 6400, 60 of 3000
  }
}

TEST(FirstDraws, ClosedFormsOnSmallParts) {
  const Executor executor(2);
  for (const double share : {1e-2, 1e-3, 1e-5}) {
    const auto problem = problems::possible_square(share);
    SmcOptions options = frozen_defaults();
    options.particles = 500;
    const FrozenPlan plan = pilot(*problem.model, options, context(executor, 3)).plan;
    std::vector<double> log_evidences(8), variances(8);
    executor.for_each(8, [&](std::size_t r) {
      const Executor alone(1);
      const Trace trace = frozen_evidence(*problem.model, plan, options, {Streams({.seed = 4}).part(r), alone}).trace;
      log_evidences[r] = standard_estimate(trace);
      variances[r] = std::pow(evidence_variance(trace).standard_error(), 2);
    });
    const Estimate all = island_evidence(log_evidences, variances);
    EXPECT_NEAR(all.value, problem.log_evidence, 3 * all.standard_error) << share;
    EXPECT_LT(all.standard_error, share > 1e-2 - 1e-9 ? 0.05 : share > 1e-4 ? 0.1 : 0.25) << share;
  }
}

TEST(FirstDraws, OneFrozenRunWithoutAnyIsNoFailure) {
  const auto problem = problems::possible_square(1e-3);
  const Executor executor(1);
  SmcOptions options{.particles = 50, .schedule = CessSchedule{0.8}};
  const FrozenPlan plan = pilot(*problem.model, options, context(executor, 1)).plan;
  options.max_prior_draws = 50;
  const auto run = frozen_evidence(*problem.model, plan, options, context(executor, 1));
  EXPECT_EQ(run.trace.first.possible, 0U);
  EXPECT_EQ(run.trace.first.share, 0);
  EXPECT_EQ(standard_estimate(run.trace), -kInf);
  EXPECT_EQ(run.trace.evaluations, 50U);  // nothing is moved
  EXPECT_EQ(run.trace.steps.back().alpha, 1);
}

TEST(FirstDraws, NoneAtAllIsSaid) {
  const auto problem = problems::possible_square(1e-9);
  try {
    const Executor executor(1);
    direct_evidence(*problem.model, {.particles = 100, .max_prior_draws = 3000}, context(executor, 1));
    FAIL();
  } catch (const RunError& e) {
    const std::string text = e.what();
    EXPECT_NE(text.find("-inf) at all 12000 draws from the prior"), std::string::npos) << text;
    EXPECT_NE(text.find("raise max_prior_draws"), std::string::npos) << text;
  }
}

TEST(FirstDraws, AStopIsNoticedWhileDrawing) {
  const auto problem = problems::possible_square(1e-9);
  const Executor executor(1);
  std::stop_source source;
  source.request_stop();
  EvaluationCount count;
  EXPECT_THROW(
      draw_initial(*problem.model, {.particles = 100}, {Streams({.seed = 1}), executor, source.get_token()}, count),
      RunError);
  EXPECT_EQ(count.total, 100U);
}

TEST(FirstDraws, NanEndsThemSoon) {
  ParameterSpace space;
  space.add("x", normal(0, 1));
  const auto model = lift(space, [](std::span<const double>) { return kNaN; });
  const Executor executor(1);
  EvaluationCount count;
  EXPECT_THROW(draw_initial(*model, {.particles = 100}, context(executor, 1), count), RunError);
  EXPECT_EQ(count.total, 100U);
}

/// Draws of an initial distribution are no draws of the prior: their weights must still be right.
class RightHalf final : public Model {
 public:
  const ParameterSpace& parameters() const override { return own_.parameters(); }
  void log_likelihood(ConstBlock theta, std::span<double> out) const override {
    for (std::size_t i = 0; i < theta.size(); ++i) out[i] = theta(0, i) > 2 ? 0.0 : -kInf;
  }
  bool has_initial() const override { return true; }
  void draw_initial(const Streams& streams, std::uint32_t first, Block theta) const override {
    own_.draw_initial(streams, first, theta);
  }
  void log_initial(ConstBlock theta, std::span<double> out) const override { own_.log_initial(theta, out); }

 private:
  test::OwnStart own_;
};

TEST(FirstDraws, OfAnInitialDistribution) {
  const Executor executor(2);
  std::vector<double> z(400);
  executor.for_each(z.size(), [&](std::size_t r) {
    const Executor alone(1);
    const Context own{Streams({.seed = 7}).part(r), alone};
    const Trace trace = direct_evidence(RightHalf(), {.particles = 64, .schedule = LinearSchedule{1}}, own).trace;
    EXPECT_GT(trace.first.made, 64U);
    z[r] = std::exp(standard_estimate(trace)) / (0.5 * std::erfc(2 / std::sqrt(2.0)));
  });
  expect_mean(z, 1, "a tail of the normal distribution");
  EXPECT_LT(mean_error(z).standard_error, 0.05);
}

/// The first observation says x < 0.05, and the second one has density x.
class TwoObservations final : public Model {
 public:
  TwoObservations() { space_.add("x", uniform(0, 1)); }
  const ParameterSpace& parameters() const override { return space_; }
  void log_likelihood(ConstBlock theta, std::span<double> out) const override { log_likelihood_of(theta, 0, 2, out); }
  std::size_t observation_count() const override { return 2; }
  bool has_sequence() const override { return true; }
  void log_likelihood_of(ConstBlock theta, std::size_t first, std::size_t count, std::span<double> out) const override {
    for (std::size_t i = 0; i < theta.size(); ++i) {
      const double x = theta(0, i);
      out[i] = (first == 0 && x > 0.05 ? -kInf : 0) + (first + count > 1 ? std::log(x) : 0);
    }
  }

 private:
  ParameterSpace space_;
};

TEST(FirstDraws, OfDataTempering) {
  const TwoObservations model;
  const SmcOptions options{.particles = 256, .schedule = LinearSchedule{4}, .kernel = {.passes = 3}};
  std::vector<double> first(40), all(40);
  const Executor executor(2);
  executor.for_each(first.size(), [&](std::size_t r) {
    const Executor alone(1);
    const DataTemperingRun run = data_tempering(model, options, {Streams({.seed = 8}).part(r), alone});
    first[r] = std::exp(run.log_predictive[0]) / 0.05;
    all[r] = std::exp(run.log_evidence()) / 0.00125;
  });
  expect_mean(first, 1, "the first observation");
  expect_mean(all, 1, "both observations");
  EXPECT_LT(mean_error(all).standard_error, 0.03);
}

// Draws that are spread evenly over the components of a mixture are no independent draws.
TEST(FirstDraws, OfAMixtureAtTheModesStayAsTheyAre) {
  const auto problem = problems::possible_square(1e-4);
  const FittedMixture modes({{.df = 5, .mean = {0, 0}, .root = {1, 0, 0, 1}}});
  const PriorAndModes start(*problem.model, modes, 0.5);
  const FirstParticles first =
      drawn(FromDensity(*problem.model, start), {.particles = 100}, 1, WhenNone::evidence_is_0);
  EXPECT_EQ(first.draws.made, 100U);
  EXPECT_EQ(first.log_factor, 0);
}

}  // namespace
}  // namespace evident
