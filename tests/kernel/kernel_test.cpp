#include "evident/kernel/kernel.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "evident/model/model.hpp"
#include "problems/problems.hpp"

namespace evident {
namespace {

// A target that is known exactly: prior N(0, 1) x U(0, 2), no likelihood. Started in the target, a kernel that leaves
// it invariant keeps it there however often it moves.
std::shared_ptr<const Model> prior_only() {
  ParameterSpace space;
  space.add("x", normal(0, 1)).add("u", uniform(0, 2)).add("g", gamma_rate(3, 1));
  return lift(space, [](std::span<const double>) { return 0.0; });
}

Population drawn(const Model& model, std::size_t n, EvaluationCount& count, std::uint64_t seed = 5) {
  Population x(model, n);
  model.draw_prior(Streams({.seed = seed}), 0, x.theta);
  model.parameters().unconstrain(x.theta, x.z);
  const TemperedTarget target(model, 1.0, count);
  target.prior(x.z, x.theta, x.log_prior, x.log_jacobian);
  target.likelihood(x.theta, x.log_likelihood);
  return x;
}

struct Setting {
  const char* name;
  KernelOptions options;
};

std::vector<Setting> settings() {
  return {{"joint", {}},
          {"single", {.grouping = Grouping::single}},
          {"blocks", {.grouping = Grouping::blocks}},
          {"adaptive", {.scale_rule = ScaleRule::adaptive, .passes = 2}},
          {"mixed", {.passes = 2, .mix_scales = true}},
          {"jump", {.scale_rule = ScaleRule::jump, .passes = 2}},
          {"crank-nicolson", {.kind = KernelKind::crank_nicolson, .passes = 2}},
          {"crank-nicolson, jump",
           {.kind = KernelKind::crank_nicolson, .grouping = Grouping::single, .scale_rule = ScaleRule::jump}},
          {"until mixed", {.until_mixed = UntilMixed{.log_likelihood = 1, .coordinate = 0.3, .most = 30}}},
          {"manual", {.scale_rule = ScaleRule::manual, .manual = [](std::size_t, double) { return 0.7; }}}};
}

TEST(RandomWalk, LeavesTheTargetInvariant) {
  const auto model = prior_only();
  const Executor executor(2);
  for (const Setting& setting : settings()) {
    EvaluationCount count;
    const std::size_t n = 20000;
    Population x = drawn(*model, n, count);
    const auto kernel = make_kernel(setting.options, *model);
    const Context context{Streams({.seed = 6}), executor};
    double acceptance = 0;
    for (std::uint32_t t = 1; t <= 20; ++t) {
      kernel->calibrate(x, 1.0);
      acceptance = kernel->move(TemperedTarget(*model, 1.0, count), x, context, t).acceptance;
    }
    EXPECT_GT(acceptance, 0.1) << setting.name;
    double mean = 0, square = 0, mean_u = 0, square_u = 0, mean_g = 0;
    for (std::size_t i = 0; i < n; ++i) {
      mean += x.theta(0, i) / n, square += x.theta(0, i) * x.theta(0, i) / n;
      mean_u += x.theta(1, i) / n, square_u += x.theta(1, i) * x.theta(1, i) / n;
      mean_g += x.theta(2, i) / n;
      ASSERT_GE(x.theta(1, i), 0);
      ASSERT_LE(x.theta(1, i), 2);
    }
    const double root = std::sqrt(static_cast<double>(n));
    EXPECT_NEAR(mean, 0, 4 / root) << setting.name;
    EXPECT_NEAR(square, 1, 4 * std::sqrt(2.0) / root) << setting.name;
    EXPECT_NEAR(mean_u, 1, 4 * std::sqrt(1.0 / 3) / root) << setting.name;
    EXPECT_NEAR(square_u, 4.0 / 3, 4 * std::sqrt(64.0 / 45) / root) << setting.name;
    EXPECT_NEAR(mean_g, 3, 4 * std::sqrt(3.0) / root) << setting.name;
  }
}

// x above 0.5, by a threshold on a likelihood that grows with x.
TEST(Kernels, LeaveTheRestrictedPriorInvariant) {
  ParameterSpace space;
  space.add("x", normal(0, 1)).add("u", uniform(0, 2));
  const auto model = lift(space, [](std::span<const double> t) { return t[0]; });
  const Executor executor(2);
  const std::size_t n = 20000;
  for (const Setting& setting : settings()) {
    EvaluationCount count;
    const Population prior = drawn(*model, 4 * n, count);
    std::vector<std::uint32_t> inside;
    for (std::uint32_t i = 0; i < prior.size() && inside.size() < n; ++i)
      if (prior.log_likelihood[i] > 0.5) inside.push_back(i);
    ASSERT_EQ(inside.size(), n);
    Population x(*model, n);
    x.assign(prior, inside);
    const auto kernel = make_kernel(setting.options, *model);
    const Context context{Streams({.seed = 6}), executor};
    double acceptance = 0;
    for (std::uint32_t t = 1; t <= 20; ++t) {
      kernel->calibrate(x, 0);
      acceptance = kernel->move(TemperedTarget::above(0.5, *model, count), x, context, t).acceptance;
    }
    EXPECT_GT(acceptance, 0.1) << setting.name;
    double mean = 0, square = 0, mean_u = 0;
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_GT(x.theta(0, i), 0.5);
      mean += x.theta(0, i) / n, square += x.theta(0, i) * x.theta(0, i) / n, mean_u += x.theta(1, i) / n;
    }
    // With h = phi(0.5) / (1 - Phi(0.5)): mean h, mean square 1 + h / 2, variance 1 + h / 2 - h^2 = 0.2685.
    const double h = 1.1410778, root = std::sqrt(static_cast<double>(n));
    EXPECT_NEAR(mean, h, 4 * std::sqrt(0.2685) / root) << setting.name;
    EXPECT_NEAR(square, 1 + h / 2, 4 * 1.6 / root) << setting.name;
    EXPECT_NEAR(mean_u, 1, 4 * std::sqrt(1.0 / 3) / root) << setting.name;
  }
}

// From a wrong start the kernel must find the posterior of a conjugate normal: moves are not just harmless.
TEST(Kernels, ReachThePosterior) {
  const auto problem = problems::conjugate_normal(20, 2);
  const Executor executor(1);
  for (const KernelKind kind :
       {KernelKind::random_walk, KernelKind::mala, KernelKind::crank_nicolson, KernelKind::hmc}) {
    EvaluationCount count;
    const std::size_t n = 4000;
    Population x = drawn(*problem.model, n, count);
    const auto kernel = make_kernel({.kind = kind, .passes = 5}, *problem.model);
    const Context context{Streams({.seed = 8}), executor};
    for (std::uint32_t t = 1; t <= 40; ++t) {
      kernel->calibrate(x, 1.0);
      kernel->move(TemperedTarget(*problem.model, 1.0, count), x, context, t);
    }
    // Posterior: precision 20 + 1/4, mean = sum y / precision; the gradient at the mean is zero.
    const double variance = 1 / 20.25;
    for (std::size_t j = 0; j < 2; ++j) {
      BlockStorage at(2, 1), d_prior(2, 1), d_likelihood(2, 1);
      problem.model->gradient(at, d_prior, d_likelihood);
      const double exact = d_likelihood(j, 0) * variance;
      double mean = 0, square = 0;
      for (std::size_t i = 0; i < n; ++i) mean += x.theta(j, i) / n;
      for (std::size_t i = 0; i < n; ++i) square += (x.theta(j, i) - mean) * (x.theta(j, i) - mean) / n;
      EXPECT_NEAR(mean, exact, 4 * std::sqrt(variance / n));
      EXPECT_NEAR(square, variance, 4 * variance * std::sqrt(2.0 / n));
    }
  }
}

TEST(RandomWalk, DegenerateParticlesAreHandled) {
  const auto model = prior_only();
  const Executor executor(1);
  EvaluationCount count;
  Population x = drawn(*model, 100, count);
  for (std::size_t distinct : {1, 2, 3}) {
    std::vector<std::uint32_t> parents(100);
    for (std::uint32_t i = 0; i < 100; ++i) parents[i] = i % static_cast<std::uint32_t>(distinct);
    x.select(parents);
    const auto kernel = make_kernel({}, *model);
    kernel->calibrate(x, 0.5);
    const auto report = kernel->move(TemperedTarget(*model, 0.5, count), x, {Streams({.seed = 1}), executor}, 1);
    EXPECT_TRUE(std::isfinite(report.acceptance));
    for (std::size_t j = 0; j < 3; ++j)
      for (const double v : x.z.row(j)) ASSERT_TRUE(std::isfinite(v));
  }
}

TEST(RandomWalk, BandNarrowsWhenNothingIsAccepted) {
  ParameterSpace space;
  space.add("x", normal(0, 1));
  // Only a sliver is possible: wide proposals fail.
  const auto model = lift(space, [](std::span<const double> t) { return std::abs(t[0]) < 1e-3 ? 0.0 : -kInf; });
  const Executor executor(1);
  EvaluationCount count;
  Population x = drawn(*model, 200, count);
  for (std::size_t i = 0; i < 200; ++i) x.z(0, i) = x.theta(0, i) = i == 0 || i == 199 ? 1.0 : 1e-5;
  const TemperedTarget target(*model, 1.0, count);
  target.prior(x.z, x.theta, x.log_prior, x.log_jacobian);
  target.likelihood(x.theta, x.log_likelihood);
  const auto kernel = make_kernel({.scale_rule = ScaleRule::band}, *model);
  double scale = 1;
  for (std::uint32_t t = 1; t < 10; ++t) {
    kernel->calibrate(x, 1.0);
    scale = kernel->move(target, x, {Streams({.seed = 1}), executor}, t).scale;
  }
  EXPECT_LT(scale, 0.1);
}

TEST(Kernels, CalibrationCanBeUsedAgain) {
  const auto problem = problems::conjugate_normal(20, 2);
  const Executor executor(1);
  for (const KernelKind kind : {KernelKind::random_walk, KernelKind::mala, KernelKind::crank_nicolson, KernelKind::hmc,
                                KernelKind::independent}) {
    EvaluationCount count;
    Population x = drawn(*problem.model, 300, count);
    const KernelOptions options{.kind = kind, .passes = 4};
    const auto first = make_kernel(options, *problem.model), second = make_kernel(options, *problem.model);
    const TemperedTarget target(*problem.model, 0.1, count);
    const Context context{Streams({.seed = 8}), executor};
    first->calibrate(x, 0.1);
    first->move(target, x, context, 1);
    const Calibration found = first->calibration();
    EXPECT_EQ(found.passes, 4U);
    // The covariance is that of all the particles before the move: prior N(0, 2^2).
    for (const auto& group : found.groups) EXPECT_NEAR(group.root[0] * group.root[0], 4, 4 * 4 * std::sqrt(2.0 / 300));
    second->use(found);
    Population y = x;
    first->use(found);
    const MoveReport a = first->move(target, x, context, 2), b = second->move(target, y, context, 2);
    EXPECT_EQ(a.acceptance, b.acceptance);
    EXPECT_EQ(a.passes, 4U);
    EXPECT_EQ(x.log_likelihood, y.log_likelihood);
    // Nothing is adapted by a move.
    EXPECT_EQ(second->calibration().groups[0].scale, found.groups[0].scale);
    const auto other = make_kernel(options, *problems::conjugate_normal(20, 3).model);
    EXPECT_THROW(other->use(found), InputError);
  }
}

TEST(Kernels, MovesUntilMixed) {
  const auto problem = problems::narrow_gaussian(10);
  const Executor executor(1);
  const auto passes = [&](const UntilMixed& until) {
    EvaluationCount count;
    Population x = drawn(*problem.model, 500, count);
    const auto kernel = make_kernel({.until_mixed = until}, *problem.model);
    kernel->calibrate(x, 0);
    return kernel->move(TemperedTarget(*problem.model, 0, count), x, {Streams({.seed = 4}), executor}, 1).passes;
  };
  const std::size_t loose = passes({.log_likelihood = 0.7, .coordinate = 1}), tight = passes({.log_likelihood = 0.2});
  EXPECT_GE(loose, 2U);
  EXPECT_GT(tight, 2 * loose);
  EXPECT_LT(tight, 100U);
  EXPECT_EQ(passes({.log_likelihood = 0.2, .most = 7}), 7U);
  EXPECT_EQ(passes({.log_likelihood = 1, .coordinate = 1, .least = 10}), 10U);
}

TEST(MakeKernel, RefusesWhatDoesNotFit) {
  const auto model = prior_only();
  EXPECT_THROW(make_kernel({.kind = KernelKind::mala}, *model), InputError);
  EXPECT_THROW(make_kernel({.kind = KernelKind::hmc}, *model), InputError);
  for (const KernelKind kind : {KernelKind::crank_nicolson, KernelKind::independent}) {
    const auto manual = [](std::size_t, double) { return 1.0; };
    EXPECT_THROW(make_kernel({.kind = kind, .scale_rule = ScaleRule::manual, .manual = manual}, *model), InputError);
  }
  EXPECT_THROW(make_kernel({.scale_rule = ScaleRule::manual}, *model), InputError);
}

}  // namespace
}  // namespace evident
