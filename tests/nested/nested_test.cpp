#include "nested/nested.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numbers>
#include <stop_token>
#include <vector>

#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "evident/evidence/estimate.hpp"
#include "evident/model/model.hpp"
#include "evident/smc/sampler.hpp"
#include "problems/problems.hpp"
#include "support/mean_error.hpp"

namespace evident {
namespace {

using problems::Problem;

Context context(const Executor& executor, std::uint64_t seed) { return {Streams({.seed = seed}), executor}; }

Problem lifted(const char* name, std::size_t d, const Distribution& prior, ScalarLikelihood l, double log_evidence) {
  ParameterSpace space;
  for (std::size_t j = 0; j < d; ++j) space.add("x" + std::to_string(j + 1), prior);
  return {name, lift(space, std::move(l)), log_evidence};
}

/// Two fifths of the prior are impossible, the rest has likelihood exp(x).
Problem partly_impossible() {
  return lifted(
      "partly impossible", 1, uniform(0, 5), [](std::span<const double> t) { return t[0] < 2 ? -kInf : t[0] - 2; },
      std::log((std::exp(3.0) - 1) / 5));
}

/// Steps: 1 on half of the square, 4 on a quarter, x + 4 on the rest.
Problem terraces() {
  return lifted(
      "terraces", 2, uniform(0, 1),
      [](std::span<const double> t) {
        return std::log(t[1] < 0.5 ? 1.0 : t[1] < 0.75 ? 4.0 : 4 + t[0]);
      },
      std::log(0.5 * 1 + 0.25 * 4 + 0.25 * 4.5));
}

Problem constant() {
  return lifted(
      "constant", 2, normal(0, 1), [](std::span<const double>) { return -3.5; }, -3.5);
}

/// Z-hat / Z of so many frozen runs, and how many of them ended for want of survivors.
struct Ratios {
  std::vector<double> z;
  std::size_t died = 0;
};
Ratios ratios(const Problem& problem, const NestedPlan& plan, const NestedOptions& options, std::size_t runs) {
  const Executor executor(2);
  Ratios out{std::vector<double>(runs)};
  std::vector<std::size_t> levels(runs);
  executor.for_each(runs, [&](std::size_t r) {
    const Executor alone(1);
    const NestedRun run = nested_evidence(*problem.model, plan, options, {Streams({.seed = 12}).part(r), alone});
    out.z[r] = std::exp(run.log_evidence.value - problem.log_evidence);
    levels[r] = run.trace.steps.size();
  });
  for (const std::size_t n : levels) out.died += n <= plan.thresholds.size() ? 1 : 0;
  return out;
}

std::vector<Problem> exact_problems() {
  return {problems::conjugate_normal(10, 2),
          problems::narrow_gaussian(5),
          problems::narrow_gaussian(10),
          problems::equicorrelated_gaussian(6),
          problems::correlated_gaussian(),
          problems::rosenbrock_pairs(2),
          problems::beta_bernoulli(1, 1),
          partly_impossible(),
          terraces()};
}

class NestedExact : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Problems, NestedExact, testing::Range(std::size_t{0}, exact_problems().size()));

TEST_P(NestedExact, CrossCheckHoldsTheTruth) {
  const Problem problem = exact_problems()[GetParam()];
  const Executor executor(2);
  const Estimate e = nested_cross_check(*problem.model, {.particles = 500}, 8, context(executor, 1)).log_evidence;
  EXPECT_NEAR(e.value, problem.log_evidence, 3 * e.standard_error) << problem.name;
  EXPECT_LT(e.standard_error, 0.2) << problem.name;
}

TEST(Nested, RosenbrockIsTheKnownOne) { EXPECT_NEAR(problems::rosenbrock_pairs(2).log_evidence, -5.999158, 1e-5); }

// Small and bad on purpose: an unbiased estimate is so with few particles and few moves, too.
struct Case {
  Problem problem;
  NestedOptions options;
};
std::vector<Case> cases() {
  const auto with = [](std::size_t particles, double keep, KernelOptions kernel) {
    return NestedOptions{.particles = particles, .keep = keep, .kernel = std::move(kernel)};
  };
  return {{problems::conjugate_normal(5, 2), with(64, 0.5, {.passes = 2})},
          {problems::conjugate_normal(5, 2), with(64, 0.3, {.kind = KernelKind::mala, .passes = 1})},
          {problems::narrow_gaussian(3), with(128, 0.5, {.kind = KernelKind::crank_nicolson, .passes = 2})},
          {partly_impossible(), with(32, 0.5, {.passes = 1})},
          {terraces(), with(32, 0.6, {.passes = 1})},
          {problems::rosenbrock_pairs(2), with(128, 0.5, {.grouping = Grouping::single, .passes = 3})}};
}

class NestedUnbiased : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Cases, NestedUnbiased, testing::Range(std::size_t{0}, cases().size()));

TEST_P(NestedUnbiased, MeanOfTheEvidences) {
  const auto [problem, options] = cases()[GetParam()];
  const Executor executor(1);
  const NestedPlan plan = nested_pilot(*problem.model, options, context(executor, 11)).plan;
  const Ratios r = ratios(problem, plan, options, 400);
  expect_mean(r.z, 1, problem.name);
  EXPECT_LT(mean_error(r.z).standard_error, 0.1) << problem.name;
}

// Runs that lose all particles count with what they found before.
TEST(Nested, UnbiasedWhenManyRunsDie) {
  const Problem problem = problems::conjugate_normal(2, 1);
  NestedOptions options{.particles = 200, .keep = 0.2, .kernel = {.passes = 3}};
  const Executor executor(1);
  const NestedPlan plan = nested_pilot(*problem.model, options, context(executor, 2)).plan;
  options.particles = 6;
  options.keep = 0.5;
  const Ratios r = ratios(problem, plan, options, 4000);
  EXPECT_GT(r.died, 1000U);
  expect_mean(r.z, 1, "six particles");
}

TEST(Nested, OneRunErrorIsThatOfManyRunsWhenMovesAreGood) {
  const Problem problem = problems::conjugate_normal(10, 2);
  NestedOptions options{.particles = 200};
  options.kernel.passes = 20;
  options.kernel.until_mixed = {};
  const Executor executor(2);
  const NestedPlan plan = nested_pilot(*problem.model, options, context(executor, 4)).plan;
  std::vector<double> log_z(60), variance(60);
  executor.for_each(60, [&](std::size_t r) {
    const Executor alone(1);
    const NestedRun run = nested_evidence(*problem.model, plan, options, {Streams({.seed = 5}).part(r), alone});
    log_z[r] = run.log_evidence.value;
    variance[r] = run.log_evidence.standard_error * run.log_evidence.standard_error;
  });
  const double seen = mean_error(log_z).sd, said = std::sqrt(mean_error(variance).mean);
  EXPECT_NEAR(said / seen, 1, 3 / std::sqrt(2.0 * 59));
}

TEST(Nested, ConstantLikelihoodNeedsNoThreshold) {
  const Problem problem = constant();
  const Executor executor(1);
  const NestedPilot first = nested_pilot(*problem.model, {.particles = 100}, context(executor, 1));
  EXPECT_TRUE(first.plan.thresholds.empty());
  EXPECT_NEAR(first.run.log_evidence.value, -3.5, 1e-12);
  EXPECT_NEAR(first.run.log_evidence.standard_error, 0, 1e-6);
  const NestedRun run = nested_evidence(*problem.model, first.plan, {.particles = 100}, context(executor, 1));
  EXPECT_NEAR(run.log_evidence.value, -3.5, 1e-12);
}

TEST(Nested, ThresholdsFollowTheCounts) {
  const Problem problem = partly_impossible();
  const Executor executor(1);
  const NestedPilot first = nested_pilot(*problem.model, {.particles = 1000, .keep = 0.75}, context(executor, 1));
  EXPECT_EQ(first.plan.thresholds.front(), -kInf);  // leaves out the impossible
  EXPECT_NEAR(first.run.trace.steps[0].share, 0.6, 0.06);
  EXPECT_EQ(first.run.trace.steps[0].log_slice, -kInf);
  double log_volume = 0;
  for (std::size_t t = 0; t < first.plan.thresholds.size(); ++t) {
    const NestedStep &now = first.run.trace.steps[t], &next = first.run.trace.steps[t + 1];
    EXPECT_EQ(next.threshold, first.plan.thresholds[t]);
    EXPECT_TRUE(t == 0 || std::abs(now.share - 0.75) < 0.002) << now.share;
    log_volume += std::log(now.share);
    EXPECT_DOUBLE_EQ(next.log_volume, log_volume);
  }
  EXPECT_EQ(first.run.trace.steps.back().share, 0);
}

// Where nearly all of the prior is impossible, draws are added as in other runs, and their share has its error.
TEST(Nested, UnbiasedWhereNearlyAllIsImpossible) {
  const Problem problem = problems::possible_square(0.01);
  NestedOptions options{.particles = 64, .kernel = {.passes = 3}};
  const Executor executor(1);
  const NestedPlan plan = nested_pilot(*problem.model, options, context(executor, 5)).plan;
  for (const std::size_t most : {1'000'000UL, 1000UL, 150UL}) {
    options.max_prior_draws = most;
    const Ratios r = ratios(problem, plan, options, 600);
    expect_mean(r.z, 1, std::to_string(most) + " draws");
    EXPECT_LT(mean_error(r.z).standard_error, 0.06) << most;
  }
}

TEST(Nested, ChecksWhatIsPossibleOnAHundredThousandth) {
  const Problem problem = problems::possible_square(1e-5);
  const Executor executor(2);
  const NestedCheck found = nested_cross_check(*problem.model, {.particles = 250}, 4, context(executor, 1));
  const Estimate& e = found.log_evidence;
  EXPECT_NEAR(e.value, problem.log_evidence, 3 * e.standard_error);
  EXPECT_GT(e.standard_error, 0.1);  // some 40 draws
  EXPECT_LT(e.standard_error, 0.4);
  const NestedPilot one = nested_pilot(*problem.model, {.particles = 250}, context(executor, 2));
  EXPECT_GT(one.run.log_evidence.standard_error, 0.8 / std::sqrt(static_cast<double>(one.run.trace.first.possible)));
}

TEST(Nested, TwoTerracesEndOnTheUpper) {
  const Problem problem = lifted(
      "two terraces", 1, uniform(0, 1), [](std::span<const double> t) { return t[0] < 0.3 ? 0.0 : 1.0; }, 0);
  const Executor executor(1);
  const NestedPilot first = nested_pilot(*problem.model, {.particles = 400}, context(executor, 1));
  EXPECT_EQ(first.plan.thresholds, std::vector<double>{0.0});
  EXPECT_NEAR(first.run.log_evidence.value, std::log(0.3 + 0.7 * std::numbers::e), 0.05);
}

// One in fifty is on the upper terrace: with four errors, 2 to 18 of 500 particles.
TEST(Nested, CountsTheFewestThatPassAThreshold) {
  const Problem problem = lifted(
      "a small terrace", 1, uniform(0, 1), [](std::span<const double> t) { return t[0] < 0.98 ? 0.0 : 5.0; }, 0);
  const Executor executor(1);
  const NestedCheck found = nested_cross_check(*problem.model, {.particles = 500}, 4, context(executor, 1));
  EXPECT_GE(found.fewest_passed, 2);
  EXPECT_LE(found.fewest_passed, 18);
  // What little is above a threshold does not count.
  const NestedTrace trace = nested_pilot(*problem.model, {.particles = 500}, context(executor, 1)).run.trace;
  EXPECT_EQ(trace.thresholds_that_matter(), 1U);
  EXPECT_NEAR(trace.fewest_passed(1), 500 * trace.steps.front().share, 1e-9);
  EXPECT_EQ(trace.fewest_passed(0), kInf);
  EXPECT_EQ(trace.fewest_passed(2), 0);
  const Problem low = lifted(
      "a low, small terrace", 1, uniform(0, 1), [](std::span<const double> t) { return t[0] < 0.998 ? 0.0 : 0.1; }, 0);
  const NestedTrace other = nested_pilot(*low.model, {.particles = 5000}, context(executor, 1)).run.trace;
  EXPECT_EQ(other.steps.size(), 2U);
  EXPECT_EQ(other.thresholds_that_matter(), 0U);
}

class Counter final : public NestedObserver {
 public:
  void on_step(const NestedTrace& trace, const Population& x) override {
    ++calls;
    for (const double l : x.log_likelihood) EXPECT_TRUE(trace.steps.size() == 1 || l > trace.steps.back().threshold);
  }
  std::size_t calls = 0;
};

TEST(Nested, ParticlesAreAboveTheThreshold) {
  const Problem problem = problems::narrow_gaussian(3);
  const Executor executor(1);
  Counter counter;
  const NestedPilot first = nested_pilot(*problem.model, {.particles = 200}, context(executor, 1), &counter);
  EXPECT_EQ(counter.calls, first.run.trace.steps.size());
  EXPECT_GT(counter.calls, 5U);
  std::size_t evaluations = 0;
  for (const NestedStep& s : first.run.trace.steps) evaluations += s.evaluations;
  EXPECT_EQ(evaluations, first.run.trace.evaluations);
}

TEST(Nested, SameBitsForAnyNumberOfThreads) {
  const Problem problem = problems::correlated_gaussian();
  std::vector<double> reference;
  for (const unsigned threads : {1U, 2U, 5U}) {
    const Executor executor(threads);
    const NestedOptions options{.particles = 200};
    const NestedPilot first = nested_pilot(*problem.model, options, context(executor, 3));
    const NestedRun run = nested_evidence(*problem.model, first.plan, options, context(executor, 4));
    const Estimate islands = nested_cross_check(*problem.model, options, 3, context(executor, 3)).log_evidence;
    std::vector<double> all = {islands.value, islands.standard_error, run.log_evidence.standard_error};
    for (const NestedTrace& trace : {first.run.trace, run.trace})
      for (const NestedStep& s : trace.steps)
        all.insert(all.end(), {s.threshold, s.log_volume, s.log_evidence, s.acceptance, s.jump});
    if (reference.empty()) reference = all;
    ASSERT_EQ(all.size(), reference.size());
    EXPECT_EQ(std::memcmp(all.data(), reference.data(), all.size() * sizeof(double)), 0) << threads << " threads";
  }
}

/// The prior is what counts, and moves that know powers of the likelihood are left alone.
class Special final : public Model {
 public:
  Special() { space_.add("x", normal(0, 1)); }
  const ParameterSpace& parameters() const override { return space_; }
  void log_likelihood(ConstBlock theta, std::span<double> out) const override {
    for (std::size_t i = 0; i < theta.size(); ++i) out[i] = normal(1, 0.5).log_density(theta(0, i));
  }
  bool has_initial() const override { return true; }
  void draw_initial(const Streams&, std::uint32_t, Block) const override { throw std::logic_error("not the prior"); }
  bool has_own_move() const override { return true; }
  std::size_t own_move(double, const MoveState&, const MoveRandom&) const override {
    throw std::logic_error("knows powers only");
  }

 private:
  ParameterSpace space_;
};

TEST(Nested, NeitherInitialDistributionNorOwnMove) {
  const Executor executor(1);
  const Estimate e = nested_cross_check(Special(), {.particles = 300}, 6, context(executor, 1)).log_evidence;
  EXPECT_NEAR(e.value, normal(1, std::sqrt(1.25)).log_density(0), 3 * e.standard_error);
}

template <class Kind>
std::string failure(const Model& model, const NestedOptions& options, std::stop_token stop = {}) {
  const Executor executor(1);
  try {
    nested_cross_check(model, options, 2, {Streams(RunIdentity{.seed = 1}), executor, stop});
  } catch (const Kind& e) {
    return e.what();
  }
  return "no failure";
}

TEST(Nested, FailuresAreSaid) {
  const auto never = lifted(
                         "", 1, normal(0, 1), [](std::span<const double>) { return -kInf; }, 0)
                         .model;
  EXPECT_NE(failure<RunError>(*never, {}).find("zero (log likelihood -inf) at all 4000000"), std::string::npos);
  const auto nan = lifted(
                       "", 1, normal(0, 1), [](std::span<const double> t) { return t[0] > 0 ? kNaN : t[0]; }, 0)
                       .model;
  EXPECT_NE(failure<RunError>(*nan, {.nan_limit = 0.05}).find("NaN in"), std::string::npos);
  const auto normal2 = problems::conjugate_normal(5, 2).model;
  EXPECT_NE(failure<RunError>(*normal2, {.max_steps = 3}).find("3 thresholds"), std::string::npos);
  std::stop_source source;
  source.request_stop();
  EXPECT_EQ(failure<RunError>(*normal2, {}, source.get_token()), "stopped before the end");
}

TEST(Nested, OptionsAndPlansAreCheckedAtTheDoor) {
  const auto two = problems::conjugate_normal(5, 2).model;
  EXPECT_NE(failure<InputError>(*two, {.particles = 1}).find("particles"), std::string::npos);
  EXPECT_NE(failure<InputError>(*two, {.keep = 0}).find("keep"), std::string::npos);
  EXPECT_NE(failure<InputError>(*two, {.keep = 1}).find("keep"), std::string::npos);
  EXPECT_NE(failure<InputError>(*two, {.remaining = 0}).find("remaining"), std::string::npos);

  const Executor executor(1);
  const NestedPlan plan = nested_pilot(*two, {.particles = 100}, context(executor, 1)).plan;
  const auto three = problems::conjugate_normal(5, 3).model;
  EXPECT_THROW(nested_evidence(*three, plan, {}, context(executor, 1)), InputError);
  NestedPlan falling = plan;
  std::swap(falling.thresholds[0], falling.thresholds[1]);
  EXPECT_THROW(nested_evidence(*two, falling, {}, context(executor, 1)), InputError);
  NestedPlan shorter = plan;
  shorter.calibrations.pop_back();
  EXPECT_THROW(nested_evidence(*two, shorter, {}, context(executor, 1)), InputError);
}

/// log Z of a pilot and 8 frozen tempered runs, less the truth.
double tempered_off(const Problem& problem, std::uint64_t seed, const Executor& executor) {
  SmcOptions options = frozen_defaults();
  options.particles = 500;
  const FrozenPlan plan = pilot(*problem.model, options, context(executor, seed)).plan;
  std::vector<double> log_evidences(8);
  for (std::size_t r = 0; r < 8; ++r) {
    const Context island{Streams({.seed = seed}).part(r), executor};
    log_evidences[r] = standard_estimate(frozen_evidence(*problem.model, plan, options, island).trace);
  }
  return island_evidence(log_evidences).value - problem.log_evidence;
}

// A narrow normal with 100 times the evidence of the broad one around it.
TEST(Nested, FirstOrderTransition) {
  const Problem problem = problems::spike_in_normal(10, 0.1, 100);
  const Executor executor(2);
  int missed = 0;  // by powers of the likelihood
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    const Estimate e = nested_cross_check(*problem.model, {.particles = 500}, 8, context(executor, seed)).log_evidence;
    EXPECT_NEAR(e.value, problem.log_evidence, 3.5 * e.standard_error) << "seed " << seed;
    EXPECT_LT(e.standard_error, 0.2);
    missed += tempered_off(problem, seed, executor) < -1 ? 1 : 0;
  }
  EXPECT_GE(missed, 3) << "the problem is too easy to show anything";
}

}  // namespace
}  // namespace evident
