// Kernels that follow the gradient.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include "evident/base/log_math.hpp"
#include "evident/kernel/kernel.hpp"
#include "problems/problems.hpp"

namespace evident {
namespace {

void evaluate(const TemperedTarget& target, Population& x) {
  target.prior(x.z, x.theta, x.log_prior, x.log_jacobian);
  target.likelihood(x.theta, x.log_likelihood);
}

/// A model from any functions of one coordinate; the prior is N(0, 1) or, with a bound, on (0, 1).
class Line final : public Model {
 public:
  using F = std::function<double(double)>;
  Line(Distribution prior, F f, F slope, Scale scale = Scale::automatic) : f_(std::move(f)), slope_(std::move(slope)) {
    space_.add("x", std::move(prior), scale);
  }
  const ParameterSpace& parameters() const override { return space_; }
  void log_likelihood(ConstBlock theta, std::span<double> out) const override {
    for (std::size_t i = 0; i < theta.size(); ++i) out[i] = f_(theta(0, i));
  }
  bool has_gradient() const override { return true; }
  void gradient(ConstBlock theta, Block d_prior, Block d_likelihood) const override {
    space_.gradient(theta, d_prior);
    for (std::size_t i = 0; i < theta.size(); ++i) d_likelihood(0, i) = slope_(theta(0, i));
  }

 private:
  ParameterSpace space_;
  F f_, slope_;
};

Population prior_draws(const Model& model, std::size_t n, const TemperedTarget& target, std::uint64_t seed) {
  Population x(model, n);
  model.draw_prior(Streams({.seed = seed}), 0, x.theta);
  model.parameters().unconstrain(x.theta, x.z);
  evaluate(target, x);
  return x;
}

struct Setting {
  const char* name;
  KernelOptions options;
};

std::vector<Setting> settings() {
  return {{"mala", {.kind = KernelKind::mala, .scale_rule = ScaleRule::adaptive, .scale = 2.0}},
          {"hmc, one long step", {.kind = KernelKind::hmc, .scale_rule = ScaleRule::adaptive, .scale = 1.5}},
          {"hmc, several steps", {.kind = KernelKind::hmc, .scale_rule = ScaleRule::adaptive, .scale = 0.7}},
          {"hmc, tried steps", {.kind = KernelKind::hmc, .scale_rule = ScaleRule::jump}},
          {"hmc, mixed steps", {.kind = KernelKind::hmc, .scale_rule = ScaleRule::adaptive, .mix_scales = true}}};
}

// A kernel with a wrong gradient keeps its target, and only mixes badly: the gradient needs a test of its own.
TEST(TemperedTarget, GradientByDifferences) {
  const Line model(
      uniform(0, 1), [](double x) { return 2 * std::log(x) + std::log1p(-x); },
      [](double x) { return 2 / x - 1 / (1 - x); }, Scale::logit);
  constexpr double kAlpha = 0.3, kStep = 1e-5;
  EvaluationCount count;
  const TemperedTarget target(model, kAlpha, count);
  Population x = prior_draws(model, 20, target, 5);
  BlockStorage gradient(1, 20);
  target.gradient(x.z, x.theta, gradient, nullptr);
  const auto log_density = [&](double shift, std::size_t i) {
    Population y = x;
    for (std::size_t k = 0; k < 20; ++k) y.z(0, k) += shift;
    evaluate(target, y);
    return y.log_prior[i] + kAlpha * y.log_likelihood[i];
  };
  for (std::size_t i = 0; i < 20; ++i)
    EXPECT_NEAR(gradient(0, i), (log_density(kStep, i) - log_density(-kStep, i)) / (2 * kStep), 1e-8) << x.theta(0, i);
}

// Started in the posterior, which is known, particles must stay in it.
TEST(GradientKernels, LeaveTheTargetInvariant) {
  const auto problem = problems::conjugate_normal(3, 2);
  const Executor executor(2);
  const double variance = 1 / 3.25;  // precision 3 + 1/4
  BlockStorage at(2, 1), d_prior(2, 1), d_likelihood(2, 1);
  problem.model->gradient(at, d_prior, d_likelihood);
  for (const Setting& setting : settings()) {
    EvaluationCount count;
    const std::size_t n = 8000;
    Population x(*problem.model, n);
    BlockStorage noise(2, n);
    Streams({.seed = 12}).fill_normal({.purpose = Purpose::other}, noise);
    for (std::size_t j = 0; j < 2; ++j)
      for (std::size_t i = 0; i < n; ++i)
        x.theta(j, i) = x.z(j, i) = d_likelihood(j, 0) * variance + std::sqrt(variance) * noise(j, i);
    const TemperedTarget target(*problem.model, 1.0, count);
    evaluate(target, x);
    const auto kernel = make_kernel(setting.options, *problem.model);
    const Context context{Streams({.seed = 13}), executor};
    double acceptance = 0;
    for (std::uint32_t t = 1; t <= 6; ++t) {
      kernel->calibrate(x, 1.0);
      acceptance = kernel->move(target, x, context, t).acceptance;
    }
    EXPECT_LT(acceptance, 0.99) << setting.name << ": the correction must matter";
    for (std::size_t j = 0; j < 2; ++j) {
      double mean = 0, square = 0;
      for (std::size_t i = 0; i < n; ++i) mean += x.theta(j, i) / n;
      for (std::size_t i = 0; i < n; ++i) square += (x.theta(j, i) - mean) * (x.theta(j, i) - mean) / n;
      EXPECT_NEAR(mean, d_likelihood(j, 0) * variance, 4 * std::sqrt(variance / n)) << setting.name;
      EXPECT_NEAR(square, variance, 4 * variance * std::sqrt(2.0 / n)) << setting.name;
    }
  }
}

// Neither normal nor unbounded: Beta(3, 2) as likelihood of a uniform prior, on the logit scale and on its own.
TEST(GradientKernels, CurvedAndBoundedTargets) {
  const Executor executor(2);
  for (const Scale scale : {Scale::logit, Scale::identity}) {
    const Line model(
        uniform(0, 1), [](double x) { return 2 * std::log(x) + std::log1p(-x); },
        [](double x) { return 2 / x - 1 / (1 - x); }, scale);
    for (const Setting& setting : settings()) {
      EvaluationCount count;
      const TemperedTarget target(model, 1.0, count);
      const std::size_t n = 5000;
      // The third of four uniform draws in order is a draw from Beta(3, 2).
      BlockStorage four(4, n);
      Streams({.seed = 7}).fill_uniform({.purpose = Purpose::other}, four);
      Population x(model, n);
      for (std::size_t i = 0; i < n; ++i) {
        std::array<double, 4> u = {four(0, i), four(1, i), four(2, i), four(3, i)};
        std::ranges::sort(u);
        x.theta(0, i) = u[2];
      }
      model.parameters().unconstrain(x.theta, x.z);
      evaluate(target, x);
      const auto kernel = make_kernel(setting.options, model);
      for (std::uint32_t t = 1; t <= 6; ++t) {
        kernel->calibrate(x, 1.0);
        kernel->move(target, x, {Streams({.seed = 8}), executor}, t);
      }
      double mean = 0, square = 0;
      for (std::size_t i = 0; i < n; ++i) mean += x.theta(0, i) / n, square += std::pow(x.theta(0, i), 2) / n;
      // Beta(3, 2): mean 3/5, second moment 2/5, fourth 15/70.
      EXPECT_NEAR(mean, 0.6, 4 * 0.2 / std::sqrt(static_cast<double>(n))) << setting.name;
      EXPECT_NEAR(square, 0.4, 4 * std::sqrt((15.0 / 70 - 0.16) / n)) << setting.name;
    }
  }
}

// No gradient on one side: trajectories that see it are refused, and the others keep the target.
TEST(Hmc, BrokenGradientsAreRefused) {
  const Line model(
      normal(0, 1), [](double) { return 0.0; }, [](double x) { return x > 0 ? kNaN : 0.0; });
  EvaluationCount count;
  const TemperedTarget target(model, 1.0, count);
  const Executor executor(1);
  Population x = prior_draws(model, 1000, target, 3);
  const Population before = x;
  const auto kernel = make_kernel({.kind = KernelKind::hmc, .passes = 4}, model);
  kernel->calibrate(x, 1.0);
  const MoveReport moved = kernel->move(target, x, {Streams({.seed = 4}), executor}, 1);
  EXPECT_GT(moved.acceptance, 0.05);
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (before.theta(0, i) > 0) {
      ASSERT_EQ(x.theta(0, i), before.theta(0, i));
    } else {
      ASSERT_LE(x.theta(0, i), 0);
    }
  }
}

// A cliff of 1e300: trajectories leave the numbers, and come back refused.
TEST(Hmc, DivergenceIsRefused) {
  const Line model(
      normal(0, 1), [](double x) { return -std::pow(x, 40); }, [](double x) { return -1e300 * std::pow(x, 39); });
  EvaluationCount count;
  const TemperedTarget target(model, 1.0, count);
  const Executor executor(1);
  Population x = prior_draws(model, 300, target, 3);
  for (const ScaleRule rule : {ScaleRule::band, ScaleRule::jump, ScaleRule::adaptive}) {
    const auto kernel = make_kernel({.kind = KernelKind::hmc, .scale_rule = rule}, model);
    for (std::uint32_t t = 1; t <= 10; ++t) {
      kernel->calibrate(x, 1.0);
      const MoveReport moved = kernel->move(target, x, {Streams({.seed = 4}), executor}, t);
      EXPECT_TRUE(std::isfinite(moved.acceptance + moved.jump));
    }
    for (const double v : x.z.row(0)) ASSERT_TRUE(std::isfinite(v));
  }
}

// In 50 dimensions a move of a few gradients forgets where it started; a random walk of as many likelihoods does not.
TEST(Hmc, ForgetsInManyDimensions) {
  const auto problem = problems::unit_gaussian(50);
  const Executor executor(2);
  const auto correlation = [&](KernelKind kind, std::size_t passes) {
    EvaluationCount count;
    const TemperedTarget target(*problem.model, 0.0, count);
    const std::size_t n = 1000;
    Population x = prior_draws(*problem.model, n, target, 5);
    const auto kernel = make_kernel({.kind = kind, .scale_rule = ScaleRule::jump, .passes = passes}, *problem.model);
    double sum = 0;
    for (std::uint32_t t = 1; t <= 6; ++t) {
      const Population before = x;
      kernel->calibrate(x, 0.0);
      kernel->move(target, x, {Streams({.seed = 6}), executor}, t);
      if (t < 6) continue;
      for (std::size_t i = 0; i < n; ++i) sum += before.z(0, i) * x.z(0, i) / n;
    }
    return sum;
  };
  EXPECT_LT(correlation(KernelKind::hmc, 3), 0.25);
  EXPECT_GT(correlation(KernelKind::random_walk, 12), 0.4);
}

// The gradient that a pass ends with is the one the next begins with.
TEST(GradientKernels, GradientsAreNotAskedForTwice) {
  const auto problem = problems::conjugate_normal(3, 2);
  const Executor executor(1);
  EvaluationCount count;
  const TemperedTarget target(*problem.model, 1.0, count);
  Population x = prior_draws(*problem.model, 100, target, 5);
  const auto kernel = make_kernel({.kind = KernelKind::mala, .passes = 7}, *problem.model);
  kernel->calibrate(x, 1.0);
  count.gradients = 0;
  kernel->move(target, x, {Streams({.seed = 6}), executor}, 1);
  EXPECT_EQ(count.gradients, 100U * 8U);
}

}  // namespace
}  // namespace evident
