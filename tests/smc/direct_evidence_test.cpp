#include "evident/smc/sampler.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "evident/evidence/estimate.hpp"
#include "evident/model/model.hpp"
#include "problems/problems.hpp"
#include "support/mean_error.hpp"
#include "support/own_start.hpp"

namespace evident {
namespace {

struct Estimates {
  std::vector<double> standard, path;
};

Estimates estimates(const Model& model, const SmcOptions& options, std::uint32_t seeds) {
  const Executor executor(2);
  Estimates out;
  out.standard.resize(seeds), out.path.resize(seeds);
  executor.for_each(seeds, [&](std::size_t r) {
    const Executor alone(1);
    const Context context{Streams({.seed = 2016, .replicate = static_cast<std::uint32_t>(r)}), alone};
    const auto run = direct_evidence(model, options, context);
    out.standard[r] = standard_estimate(run.trace);
    out.path[r] = path_sampling(run.trace).best();
  });
  return out;
}

void expect_near(const std::vector<double>& x, double exact, double slack, const std::string& what) {
  expect_mean(x, exact, what, slack);
  EXPECT_LT(mean_error(x).standard_error, 0.1) << what;
}

// The short form of bench/exact_answers.cpp, which takes 100 seeds each.
class ExactAnswers : public testing::TestWithParam<std::size_t> {};
std::vector<problems::Problem> list() {
  return {problems::conjugate_normal(1, 1),
          problems::conjugate_normal(10, 3),
          problems::conjugate_normal(50, 5),
          problems::beta_bernoulli(1, 1),
          problems::beta_bernoulli(30, 30),
          problems::correlated_gaussian(),
          problems::eggbox(),
          problems::two_modes()};
}
INSTANTIATE_TEST_SUITE_P(Problems, ExactAnswers, testing::Range(std::size_t{0}, std::size_t{8}));

TEST_P(ExactAnswers, AreMet) {
  const auto problem = list()[GetParam()];
  const auto e = estimates(*problem.model, {}, 12);
  expect_near(e.standard, problem.log_evidence, 0, problem.name + " standard");
  expect_near(e.path, problem.log_evidence, 0.01, problem.name + " path");
}

TEST(ExactAnswers, ValuesInTheLiterature) {
  EXPECT_NEAR(problems::beta_bernoulli(1, 1).log_evidence, -71.39896, 1e-5);
  EXPECT_NEAR(problems::beta_bernoulli(30, 30).log_evidence, -69.80774, 1e-5);
  EXPECT_NEAR(problems::correlated_gaussian().log_evidence, -8.98720, 1e-5);
  EXPECT_NEAR(problems::two_modes().log_evidence, -23.9659, 1e-4);
}

class EveryOption : public testing::TestWithParam<SmcOptions> {};
INSTANTIATE_TEST_SUITE_P(
    Options, EveryOption,
    testing::Values(SmcOptions{.schedule = LinearSchedule{200}}, SmcOptions{.schedule = PowerSchedule{100, 3}},
                    SmcOptions{.schedule = PosteriorSchedule{400, 1.5}}, SmcOptions{.schedule = EssSchedule{0.99}},
                    SmcOptions{.schedule = CessSchedule{0.99}, .resample = ResampleScheme::multinomial},
                    SmcOptions{.schedule = CessSchedule{0.99}, .resample = ResampleScheme::residual},
                    SmcOptions{.schedule = CessSchedule{0.99}, .resample = ResampleScheme::systematic},
                    SmcOptions{.schedule = CessSchedule{0.99}, .resample_threshold = 1},
                    SmcOptions{.schedule = CessSchedule{0.999}, .resample_threshold = 0},
                    SmcOptions{.schedule = CessSchedule{0.99}, .kernel = {.grouping = Grouping::single}},
                    SmcOptions{.schedule = CessSchedule{0.99}, .kernel = {.scale_rule = ScaleRule::adaptive}},
                    SmcOptions{.schedule = CessSchedule{0.99}, .kernel = {.passes = 3, .mix_scales = true}},
                    SmcOptions{.schedule = CessSchedule{0.99}, .kernel = {.kind = KernelKind::mala}}));

TEST_P(EveryOption, FindsTheExactAnswer) {
  const auto problem = problems::conjugate_normal(10, 2);
  expect_near(estimates(*problem.model, GetParam(), 16).standard, problem.log_evidence, 0, text(GetParam().schedule));
}

TEST(DirectEvidence, SameBitsForAnyNumberOfThreads) {
  const auto problem = problems::conjugate_normal(5, 3);
  std::vector<double> reference;
  for (const unsigned threads : {1U, 2U, 3U, 7U}) {
    const Executor executor(threads);
    const auto run = direct_evidence(*problem.model, {.particles = 500}, {Streams({.seed = 3}), executor});
    std::vector<double> all;
    for (const Step& s : run.trace.steps)
      all.insert(all.end(), {s.alpha, s.log_ratio, s.mean, s.ess, s.acceptance, s.jump});
    for (std::size_t j = 0; j < 3; ++j)
      all.insert(all.end(), run.particles.theta.row(j).begin(), run.particles.theta.row(j).end());
    if (reference.empty()) reference = all;
    ASSERT_EQ(all.size(), reference.size());
    EXPECT_EQ(std::memcmp(all.data(), reference.data(), all.size() * sizeof(double)), 0) << threads << " threads";
  }
}

TEST(DirectEvidence, AisNeverResamplesAndThresholdOneAlwaysDoes) {
  const auto problem = problems::conjugate_normal(10, 2);
  const Executor executor(1);
  const auto run = [&](double threshold) {
    return direct_evidence(*problem.model, {.schedule = CessSchedule{0.99}, .resample_threshold = threshold},
                           {Streams({.seed = 3}), executor});
  };
  EXPECT_EQ(run(0).trace.resamplings(), 0U);
  const auto always = run(1);
  EXPECT_EQ(always.trace.resamplings(), always.trace.steps.size() - 1);
}

TEST(DirectEvidence, InitialDistributionMayDifferFromThePrior) {
  const test::OwnStart model;
  const double exact = normal(1, std::sqrt(1.25)).log_density(0);
  const auto e = estimates(model, {.schedule = CessSchedule{0.99}}, 30);
  expect_near(e.standard, exact, 0, "standard");
  expect_near(e.path, exact, 0.01, "path");
}

ParameterSpace one_normal() {
  ParameterSpace space;
  space.add("x", normal(0, 1));
  return space;
}

std::string failure(const std::shared_ptr<const Model>& model, const SmcOptions& options = {}) {
  const Executor executor(2);
  try {
    direct_evidence(*model, options, {Streams({.seed = 1}), executor});
  } catch (const RunError& e) {
    return e.what();
  }
  return "no failure";
}

TEST(DirectEvidence, ImpossibleEverywhereIsSaid) {
  const auto model = lift(one_normal(), [](std::span<const double>) { return -kInf; });
  EXPECT_NE(failure(model).find("-inf) at all 4000000 draws"), std::string::npos);
}

TEST(DirectEvidence, NanEverywhereIsNotCalledZero) {
  const auto model = lift(one_normal(), [](std::span<const double>) { return kNaN; });
  EXPECT_NE(failure(model, {.nan_limit = 1}).find("the log likelihood is NaN at all 4000000 draws"), std::string::npos);
}

TEST(DirectEvidence, InfinityIsAnErrorAndNotARunWithoutEnd) {
  const auto model = lift(one_normal(), [](std::span<const double> t) { return t[0] > 1 ? kInf : 0.0; });
  EXPECT_NE(failure(model).find("the log likelihood is +inf at x = "), std::string::npos);
}

TEST(DirectEvidence, ImpossibleHalfCountsIntoTheEvidence) {
  const auto model = lift(one_normal(), [](std::span<const double> t) { return t[0] > 0 ? 0.0 : -kInf; });
  expect_near(estimates(*model, {}, 20).standard, std::log(0.5), 0, "half of the prior");
}

TEST(DirectEvidence, NanCountsAsImpossibleUpToALimit) {
  const auto some = lift(one_normal(), [](std::span<const double> t) { return t[0] > 2.4 ? kNaN : 0.0; });
  const double exact = std::log(1 - 0.5 * std::erfc(2.4 / std::sqrt(2.0)));
  expect_near(estimates(*some, {.nan_limit = 0.3}, 20).standard, exact, 0, "NaN in the tail");
  const auto many = lift(one_normal(), [](std::span<const double> t) { return t[0] > 0 ? kNaN : -t[0] * t[0]; });
  EXPECT_EQ(failure(many), "no failure");
  const std::string message = failure(many, {.nan_limit = 0.05});
  EXPECT_NE(message.find("NaN in"), std::string::npos) << message;
  EXPECT_NE(message.find(": at x = "), std::string::npos) << message;
  const auto all = lift(one_normal(), [](std::span<const double>) { return kNaN; });
  EXPECT_NE(failure(all).find("NaN in 1000 of 1000 evaluations, more than nan_limit allows: at x = "),
            std::string::npos)
      << failure(all);
}

TEST(DirectEvidence, ExceptionComesWithTheParameters) {
  const auto model = lift(one_normal(), [](std::span<const double> t) -> double {
    if (t[0] > 1) throw std::runtime_error("matrix is singular");
    return 0;
  });
  const std::string message = failure(model);
  EXPECT_NE(message.find("matrix is singular"), std::string::npos) << message;
  EXPECT_NE(message.find("x = 1."), std::string::npos) << message;
}

TEST(DirectEvidence, TooManyStepsIsSaid) {
  const auto problem = problems::conjugate_normal(50, 3);
  EXPECT_NE(failure(problem.model, {.max_steps = 5}).find("max_steps"), std::string::npos);
}

TEST(DirectEvidence, StopsWhenAsked) {
  const auto problem = problems::conjugate_normal(5, 2);
  const Executor executor(1);
  std::stop_source source;
  source.request_stop();
  EXPECT_THROW(direct_evidence(*problem.model, {}, {Streams({.seed = 1}), executor, source.get_token()}), RunError);
}

TEST(DirectEvidence, OptionsAreCheckedAtTheDoor) {
  const auto problem = problems::conjugate_normal(1, 1);
  const Executor executor(1);
  const auto run = [&](const SmcOptions& o) { direct_evidence(*problem.model, o, {Streams({.seed = 1}), executor}); };
  EXPECT_THROW(run({.particles = 0}), InputError);
  EXPECT_THROW(run({.schedule = CessSchedule{2}}), InputError);
  EXPECT_THROW(run({.resample_threshold = -1}), InputError);
  EXPECT_THROW(run({.kernel = {.passes = 0}}), InputError);
}

TEST(DirectEvidence, ObserverSeesEveryStep) {
  class Counter final : public Observer {
   public:
    void on_step(const Trace& trace, const Population& x) override {
      ++calls;
      last = trace.steps.back().alpha;
      size = x.size();
    }
    std::size_t calls = 0, size = 0;
    double last = -1;
  } counter;
  const auto problem = problems::conjugate_normal(5, 2);
  const Executor executor(1);
  const auto run = direct_evidence(*problem.model, {.particles = 100}, {Streams({.seed = 1}), executor}, &counter);
  EXPECT_EQ(counter.calls, run.trace.steps.size());
  EXPECT_EQ(counter.last, 1.0);
  EXPECT_EQ(counter.size, 100U);
}

}  // namespace
}  // namespace evident
