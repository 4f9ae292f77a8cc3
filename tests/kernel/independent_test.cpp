// Draws from a mixture fitted to the particles.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "dist/fitted_mixture.hpp"
#include "evident/kernel/kernel.hpp"
#include "problems/problems.hpp"

namespace evident {
namespace {

/// Exact draws from two modes: a share of `low` at -5, the others at 5, sd 0.5.
Population in_modes(const Model& model, std::size_t n, double low, const TemperedTarget& target) {
  Population x(model, n);
  Streams({.seed = 9}).fill_normal({.purpose = Purpose::other}, x.theta);
  for (std::size_t i = 0; i < n; ++i) {
    // Spread over the whole population, so that both halves know both modes.
    const bool down = std::fmod(static_cast<double>(i) * 0.6180339887498949, 1.0) < low;
    for (std::size_t j = 0; j < x.theta.rows(); ++j) x.theta(j, i) = (down ? -5 : 5) + 0.5 * x.theta(j, i);
  }
  model.parameters().unconstrain(x.theta, x.z);
  target.prior(x.z, x.theta, x.log_prior, x.log_jacobian);
  target.likelihood(x.theta, x.log_likelihood);
  return x;
}

double share_below(const Population& x) {
  double below = 0;
  for (const double v : x.theta.row(0)) below += v < 0 ? 1 : 0;
  return below / static_cast<double>(x.size());
}

// Particles in the wrong shares of two far modes: only draws from the fit can mend it.
TEST(Independent, MovesBetweenModes) {
  const auto problem = problems::two_modes();
  const Executor executor(2);
  const std::size_t n = 2000;
  for (const KernelKind kind : {KernelKind::crank_nicolson, KernelKind::independent}) {
    EvaluationCount count;
    const TemperedTarget target(*problem.model, 1.0, count);
    Population x = in_modes(*problem.model, n, 0.6, target);
    const auto kernel = make_kernel({.kind = kind, .scale_rule = ScaleRule::jump, .passes = 6}, *problem.model);
    for (std::uint32_t t = 1; t <= 4; ++t) {
      kernel->calibrate(x, 1.0);
      kernel->move(target, x, {Streams({.seed = 10}), executor}, t);
    }
    if (kind == KernelKind::independent)
      EXPECT_NEAR(share_below(x), 0.3, 4 * std::sqrt(0.21 / static_cast<double>(n)));
    else
      EXPECT_GT(share_below(x), 0.4);
  }
}

// Particles of two curved valleys, drawn exactly, stay what they are, with a crude fit and with a fine one.
TEST(Independent, LeavesTheTargetInvariant) {
  const auto problem = problems::rosenbrock_pairs(4);
  const Executor executor(2);
  EvaluationCount count;
  const TemperedTarget target(*problem.model, 1.0, count);
  const std::size_t n = 2000;
  for (const std::size_t components : {1U, 8U}) {
    Population x(*problem.model, n);
    Streams({.seed = 9}).fill_normal({.purpose = Purpose::other}, x.theta);
    for (std::size_t i = 0; i < n; ++i)
      for (const std::size_t j : {0U, 2U}) {  // x ~ N(1, 1/2), y ~ N(x^2, 1/20)
        const double first = 1 + std::sqrt(0.5) * x.theta(j, i);
        x.theta(j + 1, i) = first * first + std::sqrt(0.05) * x.theta(j + 1, i);
        x.theta(j, i) = first;
      }
    // Beyond the bounds of the prior lies next to nothing, and what does is brought in.
    for (std::size_t j = 0; j < 4; ++j)
      for (double& v : x.theta.row(j)) v = std::clamp(v, -9.9, 9.9);
    problem.model->parameters().unconstrain(x.theta, x.z);
    target.prior(x.z, x.theta, x.log_prior, x.log_jacobian);
    target.likelihood(x.theta, x.log_likelihood);
    const auto kernel = make_kernel(
        {.kind = KernelKind::independent, .scale_rule = ScaleRule::jump, .passes = 6, .mixture_components = components},
        *problem.model);
    for (std::uint32_t t = 1; t <= 4; ++t) {
      kernel->calibrate(x, 1.0);
      kernel->move(target, x, {Streams({.seed = 6}), executor}, t);
    }
    const Calibration found = kernel->calibration();
    ASSERT_EQ(found.groups.size(), 3U);
    double shares = 0;
    for (const auto& group : found.groups) {
      EXPECT_GE(group.share, 0.1);
      shares += group.share;
    }
    EXPECT_NEAR(shares, 1, 1e-12);
    ASSERT_NE(found.groups.back().fit, nullptr);
    EXPECT_LE(found.groups.back().fit->components().size(), components + 1);
    EXPECT_GT(found.groups.back().share, 0.4);  // it jumps further than the other two
    double mean = 0, square = 0, other = 0;
    for (std::size_t i = 0; i < n; ++i) {
      mean += x.theta(0, i) / n;
      square += std::pow(x.theta(0, i) - 1, 2) / n;
      other += x.theta(1, i) / n;
    }
    const double root = std::sqrt(static_cast<double>(n));
    EXPECT_NEAR(mean, 1, 4 * std::sqrt(0.5) / root);
    EXPECT_NEAR(square, 0.5, 4 * std::sqrt(0.5) / root);
    EXPECT_NEAR(other, 1.5, 4 * std::sqrt(2.55) / root + 0.01);  // E x^2; its variance is 4/2 + 2/4 + 1/20
  }
}

// Copies of few particles span no density; the kernel goes on without a fit.
TEST(Independent, GoesOnWithoutAFit) {
  const auto problem = problems::conjugate_normal(5, 2);
  const Executor executor(1);
  EvaluationCount count;
  const TemperedTarget target(*problem.model, 1.0, count);
  for (const std::uint32_t distinct : {1U, 3U}) {
    Population x(*problem.model, 200);
    problem.model->draw_prior(Streams({.seed = 5}), 0, x.theta);
    problem.model->parameters().unconstrain(x.theta, x.z);
    target.prior(x.z, x.theta, x.log_prior, x.log_jacobian);
    target.likelihood(x.theta, x.log_likelihood);
    std::vector<std::uint32_t> parents(200);
    for (std::uint32_t i = 0; i < 200; ++i) parents[i] = i % distinct;
    x.select(parents);
    const auto kernel = make_kernel({.kind = KernelKind::independent}, *problem.model);
    kernel->calibrate(x, 1.0);
    const MoveReport moved = kernel->move(target, x, {Streams({.seed = 6}), executor}, 1);
    EXPECT_TRUE(std::isfinite(moved.acceptance));
    for (const auto& group : kernel->calibration().groups) EXPECT_EQ(group.fit, nullptr);
  }
}

}  // namespace
}  // namespace evident
