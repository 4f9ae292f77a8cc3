// Whole runs with each kind of move, against exact evidences.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "evident/base/error.hpp"
#include "evident/evidence/estimate.hpp"
#include "evident/smc/sampler.hpp"
#include "problems/problems.hpp"
#include "support/mean_error.hpp"

namespace evident {
namespace {

SmcOptions options(KernelKind kind, std::size_t particles) {
  SmcOptions out = frozen_defaults();
  out.particles = particles;
  out.kernel.kind = kind;
  return out;
}

/// Z-hat / Z of frozen runs after one pilot.
std::vector<double> ratios(const problems::Problem& problem, const SmcOptions& options, std::size_t runs) {
  const Executor two(2);
  const FrozenPlan plan = pilot(*problem.model, options, {Streams({.seed = 1}), two}).plan;
  std::vector<double> out(runs);
  two.for_each(runs, [&](std::size_t r) {
    const Executor alone(1);
    const auto run = frozen_evidence(*problem.model, plan, options, {Streams({.seed = 2}).part(r), alone});
    out[r] = std::exp(standard_estimate(run.trace) - problem.log_evidence);
  });
  return out;
}

TEST(Moves, HamiltonianInTwentyDimensions) {
  expect_mean(ratios(problems::narrow_gaussian(20), options(KernelKind::hmc, 200), 20), 1, "narrow gaussian");
}

TEST(Moves, HamiltonianInCurvedValleys) {
  expect_mean(ratios(problems::rosenbrock_pairs(4), options(KernelKind::hmc, 200), 100), 1, "rosenbrock");
}

TEST(Moves, IndependentInTenDimensions) {
  expect_mean(ratios(problems::narrow_gaussian(10), options(KernelKind::independent, 200), 30), 1, "narrow gaussian");
}

TEST(Moves, IndependentInCurvedValleys) {
  expect_mean(ratios(problems::rosenbrock_pairs(4), options(KernelKind::independent, 200), 30), 1, "rosenbrock");
}

// Each half is moved by a fit to the other, so that adapting biases little.
TEST(Moves, IndependentAdaptsWithLittleBias) {
  const auto problem = problems::narrow_gaussian(10);
  const Executor two(2);
  std::vector<double> l(16);
  two.for_each(l.size(), [&](std::size_t r) {
    const Executor alone(1);
    const Context context{Streams({.seed = 7}).part(r), alone};
    const auto run = direct_evidence(*problem.model, options(KernelKind::independent, 512), context);
    l[r] = standard_estimate(run.trace);
  });
  const double sd = mean_error(l).sd;
  expect_mean(l, problem.log_evidence - 0.5 * sd * sd, problem.name);
}

TEST(Moves, SameBitsForAnyNumberOfThreads) {
  const auto problem = problems::conjugate_normal(20, 3);
  for (const KernelKind kind : {KernelKind::hmc, KernelKind::independent}) {
    std::vector<double> reference;
    for (const unsigned threads : {1U, 3U}) {
      const Executor executor(threads);
      const PilotRun first = pilot(*problem.model, options(kind, 200), {Streams({.seed = 3}), executor});
      const auto run =
          frozen_evidence(*problem.model, first.plan, options(kind, 200), {Streams({.seed = 4}), executor});
      std::vector<double> all;
      for (const Trace& trace : {first.run.trace, run.trace})
        for (const Step& s : trace.steps)
          all.insert(all.end(), {s.alpha, s.log_ratio, s.mean, s.acceptance, s.jump, static_cast<double>(s.passes)});
      if (reference.empty()) reference = all;
      ASSERT_EQ(all.size(), reference.size());
      EXPECT_EQ(std::memcmp(all.data(), reference.data(), all.size() * sizeof(double)), 0) << threads << " threads";
    }
  }
}

TEST(Moves, RunsCountTheirGradients) {
  const auto problem = problems::conjugate_normal(5, 2);
  const Executor executor(1);
  const auto gradients = [&](KernelKind kind) {
    SmcOptions o = options(kind, 100);
    return direct_evidence(*problem.model, o, {Streams({.seed = 3}), executor}).trace.gradients;
  };
  EXPECT_EQ(gradients(KernelKind::random_walk), 0U);
  EXPECT_GT(gradients(KernelKind::hmc), 100U);
}

TEST(Moves, RefuseWhatTheModelCannotDo) {
  const auto problem = problems::two_modes();
  const Executor executor(1);
  try {
    direct_evidence(*problem.model, {.kernel = {.kind = KernelKind::hmc}}, {Streams({.seed = 3}), executor});
    FAIL() << "not refused";
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("hmc"), std::string::npos);
    EXPECT_NE(std::string(e.what()).find("gradient"), std::string::npos);
  }
  EXPECT_THROW(check(SmcOptions{.kernel = {.mixture_components = 0}}), InputError);
}

}  // namespace
}  // namespace evident
