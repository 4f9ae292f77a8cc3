// What one run says of itself, against what many runs show.
#include "evident/judge/verdict.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "evidence/variance.hpp"
#include "evident/evidence/estimate.hpp"
#include "evident/smc/sampler.hpp"
#include "judge/alarms.hpp"
#include "particles/resample.hpp"
#include "problems/problems.hpp"
#include "support/mean_error.hpp"

namespace evident {
namespace {

struct Runs {
  std::vector<double> log_evidence;
  std::vector<EvidenceVariance> variance;
  std::vector<std::vector<Reason>> reasons;
};

Runs runs_of(const problems::Problem& problem, const SmcOptions& options, std::size_t seeds) {
  const Executor executor(2);
  Runs out{std::vector<double>(seeds), std::vector<EvidenceVariance>(seeds), std::vector<std::vector<Reason>>(seeds)};
  executor.for_each(seeds, [&](std::size_t r) {
    const Executor alone(1);
    const Context context{Streams({.seed = 2018, .replicate = static_cast<std::uint32_t>(r)}), alone};
    const Run run = direct_evidence(*problem.model, options, context);
    out.log_evidence[r] = standard_estimate(run.trace);
    out.variance[r] = evidence_variance(run.trace);
    out.reasons[r] = alarms_of_run(*observe_run(run.trace));
    append(
        out.reasons[r],
        alarms_of_bounds(
            PriorBounds(*problem.model, context.streams).observe(run.particles.theta, run.particles.weights.values())));
  });
  return out;
}

struct Case {
  std::size_t problem;
  ResampleScheme scheme;
  double threshold;
};

problems::Problem message_of(std::size_t k) {
  return k == 0   ? problems::conjugate_normal(10, 3)
         : k == 1 ? problems::conjugate_normal(50, 5)
                  : problems::beta_bernoulli(1, 1);
}

// The mean of the estimates against the variance over the same seeds. The latter has a relative error of
// sqrt(2 / (seeds - 1)); three of them, and the error of the mean, are allowed.
class OneRunVariance : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(
    Cases, OneRunVariance,
    testing::Values(Case{0, ResampleScheme::multinomial, 0.5}, Case{0, ResampleScheme::stratified, 0.5},
                    Case{0, ResampleScheme::stratified, 1}, Case{0, ResampleScheme::multinomial, 1},
                    Case{1, ResampleScheme::multinomial, 0.5}, Case{1, ResampleScheme::stratified, 0.5},
                    Case{1, ResampleScheme::systematic, 0.5}, Case{1, ResampleScheme::residual, 0.5},
                    Case{2, ResampleScheme::stratified, 0.5}));

TEST_P(OneRunVariance, IsTheVarianceOfManyRuns) {
  const auto [k, scheme, threshold] = GetParam();
  const std::size_t seeds = 80;
  const Runs runs = runs_of(
      message_of(k),
      {.particles = 500, .schedule = CessSchedule{0.99}, .resample = scheme, .resample_threshold = threshold}, seeds);
  const double truth = std::pow(mean_error(runs.log_evidence).sd, 2);
  std::vector<double> ratios;
  for (const EvidenceVariance& v : runs.variance) ratios.push_back(v.lee_whiteley / truth);
  const MeanError m = mean_error(ratios);
  const double error = std::hypot(m.mean * std::sqrt(2.0 / static_cast<double>(seeds - 1)), m.standard_error);
  EXPECT_NEAR(m.mean, 1, 3 * error) << message_of(k).name << ' ' << name(scheme) << ' ' << threshold;
  RecordProperty("ratio", std::to_string(m.mean) + " +- " + std::to_string(error));
}

TEST(Verdict, FewFalseAlarms) {
  for (const auto& problem : {problems::conjugate_normal(10, 3), problems::conjugate_normal(50, 5)}) {
    const Runs runs = runs_of(problem, {.schedule = CessSchedule{0.99}}, 100);
    std::size_t alarms = 0;
    std::string texts;
    for (const auto& reasons : runs.reasons) {
      alarms += reasons.empty() ? 0 : 1;
      for (const Reason& r : reasons) texts += r.text + "\n";
    }
    EXPECT_LE(alarms, 3U) << problem.name << '\n' << texts;
  }
}

// A run in which no particle finds the spike has nothing to show, so not all of them can see it.
TEST(Verdict, FirstOrderTransition) {
  const auto problem = problems::spike_in_normal(10, 0.3, 100);
  const Runs runs = runs_of(problem, {.schedule = CessSchedule{0.99}}, 10);
  std::size_t seen = 0;
  for (const auto& reasons : runs.reasons)
    seen += std::ranges::any_of(reasons, [](const Reason& r) { return r.code == Alarm::phase_transition; }) ? 1 : 0;
  EXPECT_GE(seen, 6U);
}

TEST(Verdict, NoMovesNoTrust) {
  // Proposals a hundred times too wide.
  SmcOptions options{.particles = 300, .schedule = CessSchedule{0.95}};
  options.kernel.scale = 200;
  options.kernel.scale_rule = ScaleRule::adaptive;
  const Runs runs = runs_of(problems::conjugate_normal(10, 3), options, 1);
  EXPECT_EQ(verdict(runs.reasons[0]), Verdict::do_not_trust);
  EXPECT_TRUE(std::ranges::any_of(runs.reasons[0], [](const Reason& r) { return r.code == Alarm::moves_collapsed; }));
}

}  // namespace
}  // namespace evident
