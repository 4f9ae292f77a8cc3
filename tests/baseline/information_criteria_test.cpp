#include "baseline/information_criteria.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "evident/model/model.hpp"
#include "models/mixture/gaussian_mixture.hpp"
#include "models/mixture/simulate.hpp"
#include "problems/problems.hpp"

namespace evident {
namespace {

InformationCriteriaRun run_once(const Model& model, unsigned threads = 1) {
  const Executor executor(threads);
  return information_criteria(model, {}, {Streams({.seed = 4}), executor});
}

/// Normal observations with mean and sd unknown; no gradient.
class NormalSample final : public Model {
 public:
  explicit NormalSample(std::vector<double> y) : y_(std::move(y)) {
    space_.add("mean", normal(0, 10)).add("sd", half_normal(10));
  }
  const ParameterSpace& parameters() const override { return space_; }
  std::size_t observation_count() const override { return y_.size(); }
  void log_likelihood(ConstBlock theta, std::span<double> out) const override {
    for (std::size_t i = 0; i < theta.size(); ++i) {
      out[i] = 0;
      for (const double y : y_) out[i] += normal(theta(0, i), theta(1, i)).log_density(y);
    }
  }

 private:
  std::vector<double> y_;
  ParameterSpace space_;
};

TEST(InformationCriteria, FindTheMaximumOfANormalSample) {
  const std::vector<double> y = {1.2, 3.4, 2.2, 0.7, 5.1, 2.9};
  double mean = 0, variance = 0;
  for (const double v : y) mean += v / 6;
  for (const double v : y) variance += (v - mean) * (v - mean) / 6;
  const double largest = -3 * (kLog2Pi + std::log(variance) + 1);
  const auto run = run_once(NormalSample(y));
  EXPECT_NEAR(run.log_likelihood, largest, 1e-7);
  EXPECT_NEAR(run.theta[0], mean, 1e-3);
  EXPECT_NEAR(run.theta[1], std::sqrt(variance), 1e-3);
  EXPECT_NEAR(run.bic_log_evidence, largest - std::log(6.0), 1e-7);
  EXPECT_NEAR(run.aic, largest - 2, 1e-7);
  EXPECT_TRUE(run.converged);
  EXPECT_FALSE(run.at_box);
  EXPECT_TRUE(run.warnings.empty());
}

TEST(InformationCriteria, FollowAGradient) {
  const auto problem = problems::conjugate_normal(40, 5);
  const auto run = run_once(*problem.model);
  AlignedVector<double> l(1);
  BlockStorage theta(5, 1), d_prior(5, 1), d_likelihood(5, 1);
  for (std::size_t j = 0; j < 5; ++j) theta(j, 0) = run.theta[j];
  problem.model->gradient(theta, d_prior, d_likelihood);
  for (std::size_t j = 0; j < 5; ++j) EXPECT_NEAR(d_likelihood(j, 0), 0, 1e-2) << j;
  problem.model->log_likelihood(theta, l);
  EXPECT_NEAR(l[0], run.log_likelihood, 1e-9);
  EXPECT_NEAR(run.bic_log_evidence, l[0] - 2.5 * std::log(40.0), 1e-9);
  EXPECT_TRUE(run.converged);
}

TEST(InformationCriteria, ApproachTheEvidenceOfAUnitInformationPrior) {
  // With mu ~ N(0, 4) and observations near 1 the evidence lies within a constant of BIC, however long the data.
  for (const std::size_t n : {20, 200}) {
    const auto problem = problems::conjugate_normal(n, 1);
    EXPECT_NEAR(run_once(*problem.model).bic_log_evidence, problem.log_evidence, 1.0) << n;
  }
}

TEST(InformationCriteria, SayWhenThereIsNoMaximum) {
  // All observations are equal: the likelihood has no upper bound as sd goes to zero.
  const auto run = run_once(NormalSample({2, 2, 2, 2}));
  EXPECT_TRUE(run.at_box);
  EXPECT_FALSE(run.converged);
  EXPECT_THAT(run.warnings, testing::Contains(testing::HasSubstr("bounds of the search")));
}

TEST(InformationCriteria, PreferTheRightNumberOfComponents) {
  const auto y = simulate_mixture({{-3, 3}, {0.6, 0.6}, {1, 1}}, 60, Streams({.seed = 77}));
  const auto one = run_once(GaussianMixture({.components = 1}, y)),
             two = run_once(GaussianMixture({.components = 2}, y));
  EXPECT_GT(two.bic_log_evidence, one.bic_log_evidence + 10);
  EXPECT_TRUE(two.converged);
}

TEST(InformationCriteria, SameForAnyNumberOfThreads) {
  const NormalSample model({1.2, 3.4, 2.2, 0.7});
  EXPECT_EQ(run_once(model, 1).log_likelihood, run_once(model, 3).log_likelihood);
}

TEST(InformationCriteria, NeedTheNumberOfObservations) {
  EXPECT_THROW(run_once(*problems::two_modes().model), InputError);
}

}  // namespace
}  // namespace evident
