#include "evident/path/target.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <stdexcept>
#include <vector>

#include "evident/base/error.hpp"

namespace evident {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

/// sigma is half normal, and so moves on the log scale; the likelihood is any function of it.
class Sigma final : public Model {
 public:
  using F = std::function<double(double)>;
  explicit Sigma(F f, F slope = {}) : f_(std::move(f)), slope_(std::move(slope)) {
    space_.add("sigma", half_normal(1));
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

BlockStorage row(const std::vector<double>& values) {
  BlockStorage out(1, values.size());
  for (std::size_t i = 0; i < values.size(); ++i) out(0, i) = values[i];
  return out;
}

/// log of sqrt(2 / pi) exp(-sigma^2 / 2) sigma, where sigma = exp(z).
double log_prior_of(double z) { return 0.5 * std::log(2 / M_PI) - std::exp(2 * z) / 2 + z; }

std::vector<double> likelihood(const TemperedTarget& target, const std::vector<double>& theta) {
  std::vector<double> out(theta.size());
  target.likelihood(row(theta), out);
  return out;
}

TEST(TemperedTarget, AnInfiniteLikelihoodIsAnErrorThatSaysWhere) {
  const Sigma model([](double sigma) { return sigma > 2 ? kInf : -sigma; });
  EvaluationCount count;
  const TemperedTarget target(model, 0.5, count);
  EXPECT_EQ(likelihood(target, {1, 2}), (std::vector<double>{-1, -2}));
  EXPECT_THAT(
      [&] {
        likelihood(target, {1, 2.5, 3});
      },
      ThrowsMessage<RunError>(HasSubstr("the log likelihood is +inf at sigma = 2.5")));
}

TEST(TemperedTarget, PriorHasTheJacobian) {
  const Sigma model([](double) { return 0.0; });
  EvaluationCount count;
  const TemperedTarget target(model, 0.5, count);
  const std::vector<double> z = {-2, 0, 0.7};
  BlockStorage theta(1, z.size());
  std::vector<double> log_prior(z.size()), log_jacobian(z.size());
  EXPECT_EQ(target.prior(row(z), theta, log_prior, log_jacobian), 3u);
  for (std::size_t i = 0; i < z.size(); ++i) {
    EXPECT_NEAR(theta(0, i), std::exp(z[i]), 1e-14);
    EXPECT_NEAR(log_jacobian[i], z[i], 1e-14);
    EXPECT_NEAR(log_prior[i], log_prior_of(z[i]), 1e-13);
  }
  EXPECT_EQ(count.total, 0u);
}

TEST(TemperedTarget, WhatIsNoNumberIsImpossible) {
  const Sigma model([](double x) { return x > 2 ? kNaN : x > 1 ? -kInf : x; });
  EvaluationCount count;
  const TemperedTarget target(model, 0.5, count);
  EXPECT_EQ(likelihood(target, {0.5, 1.5, 2.5, 3.5}), (std::vector{0.5, -kInf, -kInf, -kInf}));
  EXPECT_EQ(count.total, 4u);
  EXPECT_EQ(count.nan, 2u);
  target.count(10);
  EXPECT_EQ(count.total, 14u);

  BlockStorage theta(1, 2);
  std::vector<double> log_prior(2), log_jacobian(2);
  EXPECT_EQ(target.prior(row({kNaN, 0}), theta, log_prior, log_jacobian), 1u);
  EXPECT_EQ(log_prior[0], -kInf);
}

TEST(TemperedTarget, AnExceptionNamesTheParameters) {
  const Sigma model([](double x) { return x > 2 ? throw std::runtime_error("too wide") : x; });
  EvaluationCount count;
  const TemperedTarget target(model, 1, count);
  EXPECT_THAT(
      [&] {
        likelihood(target, {0.5, 2.5, 3.5});
      },
      ThrowsMessage<RunError>("the model failed: too wide (at sigma = 2.5)"));
  int calls = 0;
  const Sigma once([&](double x) { return ++calls == 1 ? throw std::runtime_error("only once") : x; });
  EXPECT_THAT(
      [&] {
        likelihood(TemperedTarget(once, 1, count), {0.5, 2.5});
      },
      ThrowsMessage<RunError>("the model failed: only once"));
}

TEST(TemperedTarget, GradientIsThatOfTheTemperedDensity) {
  const Sigma model([](double x) { return -3 * std::pow(x - 1, 2); }, [](double x) { return -6 * (x - 1); });
  EvaluationCount count;
  const double alpha = 0.3, h = 1e-5;
  const TemperedTarget target(model, alpha, count);
  const auto log_target = [&](double z) { return log_prior_of(z) - alpha * 3 * std::pow(std::exp(z) - 1, 2); };
  const std::vector<double> z = {-1, 0.2, 1};
  std::vector<double> theta;
  for (const double v : z) theta.push_back(std::exp(v));
  BlockStorage out(1, z.size());
  target.gradient(row(z), row(theta), out);
  for (std::size_t i = 0; i < z.size(); ++i)
    EXPECT_NEAR(out(0, i), (log_target(z[i] + h) - log_target(z[i] - h)) / (2 * h), 1e-7);
  EXPECT_EQ(count.gradients, 3u);
  EXPECT_EQ(count.total, 0u);
}

TEST(TemperedTarget, BrokenGradientsAreNoneAndNamed) {
  const Sigma model([](double x) { return x; }, [](double x) { return x > 1.5 ? kInf : 1.0; });
  EvaluationCount count;
  const TemperedTarget target(model, 1, count);
  BlockStorage out(1, 2);
  bool broken[2] = {true, false};
  target.gradient(row({0, std::log(2)}), row({1, 2}), out, broken);
  EXPECT_NEAR(out(0, 0), 1, 1e-14);  // -sigma + 1 + 1, times sigma for all but the last, which is the Jacobian's
  EXPECT_EQ(out(0, 1), 0);
  EXPECT_FALSE(broken[0]);
  EXPECT_TRUE(broken[1]);
}

TEST(TemperedTarget, AboveAThresholdItIsThePrior) {
  const Sigma model([](double x) { return x; });
  EvaluationCount count;
  const TemperedTarget target = TemperedTarget::above(-3, model, count);
  EXPECT_TRUE(target.restricted());
  EXPECT_EQ(target.threshold(), -3);
  EXPECT_EQ(target.alpha(), 0);
  EXPECT_EQ(target.quick(), nullptr);
  EXPECT_FALSE(TemperedTarget(model, 1, count).restricted());
}

}  // namespace
}  // namespace evident
