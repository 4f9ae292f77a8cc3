#include "evidence/probabilities.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "evident/base/error.hpp"
#include "evident/base/random.hpp"

namespace evident {
namespace {

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

// The ends of an interval by draws are off by 1 % of the standard error; on the logit scale that is 0.01 s, tripled.
void expect_logit_near(const Interval& got, double lower, double upper, double s) {
  EXPECT_NEAR(std::log(got.lower / (1 - got.lower)), lower, 0.04 * s);
  EXPECT_NEAR(std::log(got.upper / (1 - got.upper)), upper, 0.04 * s);
}

TEST(ModelProbabilities, TwoModelsAreALogisticOfANormal) {
  for (const double s : {0.05, 0.5, 2.0}) {
    const auto p = model_probabilities(
        std::vector<WeightedEvidence>{{.log_evidence = {-100, 0.6 * s}}, {.log_evidence = {-101, 0.8 * s}}});
    EXPECT_NEAR(p.probability[0].value, logistic(1), 1e-12);
    expect_logit_near(p.interval[0], 1 - 1.96 * s, 1 + 1.96 * s, s);
    expect_logit_near(p.interval[1], -1 - 1.96 * s, -1 + 1.96 * s, s);
    // Both errors act on the same difference, so they share in proportion to their squares.
    EXPECT_NEAR(p.error_share[0], 0.36, 1e-12);
    EXPECT_NEAR(p.error_share[1], 0.64, 1e-12);
    const LogBayesFactor b = p.bayes_factor(0, 1);
    EXPECT_DOUBLE_EQ(b.estimate.value, 1);
    EXPECT_NEAR(b.interval.lower, 1 - 1.959964 * s, 1e-6 * s);
    EXPECT_NEAR(b.interval.upper, 1 + 1.959964 * s, 1e-6 * s);
  }
}

TEST(ModelProbabilities, ASkewedErrorReachesFurtherToOneSide) {
  const Estimate skewed{.value = 0, .standard_error = 0.2, .error_below = 0.1, .error_above = 0.4};
  const auto p = model_probabilities(std::vector<WeightedEvidence>{{.log_evidence = skewed}, {.log_evidence = {0, 0}}});
  expect_logit_near(p.interval[0], -1.96 * 0.1, 1.96 * 0.4, 0.4);
  const LogBayesFactor b = p.bayes_factor(0, 1);
  EXPECT_NEAR(b.interval.lower, -1.96 * 0.1, 0.04 * 0.1);
  EXPECT_NEAR(b.interval.upper, 1.96 * 0.4, 0.04 * 0.4);
}

TEST(ModelProbabilities, SmallErrorsGiveTheDeltaMethod) {
  const std::vector<WeightedEvidence> e = {
      {.log_evidence = {0, 0.02}}, {.log_evidence = {0.5, 0.01}}, {.log_evidence = {-1, 0.03}}};
  const auto p = model_probabilities(e);
  double total = 0;
  std::vector<double> due(3);
  for (std::size_t k = 0; k < 3; ++k) {
    double variance = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      const double slope = p.probability[k].value * ((k == j ? 1 : 0) - p.probability[j].value);
      variance += slope * slope * e[j].log_evidence.standard_error * e[j].log_evidence.standard_error;
      due[j] += slope * slope * e[j].log_evidence.standard_error * e[j].log_evidence.standard_error;
    }
    total += variance;
    EXPECT_NEAR(p.probability[k].standard_error, std::sqrt(variance), 0.02 * std::sqrt(variance));
  }
  for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(p.error_share[j], due[j] / total, 0.01);
}

TEST(ModelProbabilities, EqualModelsShareEqually) {
  const std::vector<WeightedEvidence> ten(10, {.log_evidence = {-7, 0.3}});
  const auto p = model_probabilities(ten);
  for (std::size_t k = 0; k < 10; ++k) {
    EXPECT_NEAR(p.probability[k].value, 0.1, 1e-12);
    EXPECT_NEAR(p.error_share[k], 0.1, 0.003);
    EXPECT_NEAR(p.interval[k].lower, p.interval[0].lower, 0.002);
    EXPECT_NEAR(p.interval[k].upper, p.interval[0].upper, 0.004);
  }
  // Var(p) = sum of squared slopes times 0.09, to first order: 0.3 sqrt(0.09^2 + 9 * 0.01^2).
  EXPECT_NEAR(p.probability[0].standard_error, 0.3 * std::sqrt(0.0081 + 0.0009), 0.003);
}

TEST(ModelProbabilities, StudentErrorsAreWider) {
  const auto make = [](double degrees) {
    return model_probabilities(
        std::vector<WeightedEvidence>{{.log_evidence = {0, 0.2, degrees}}, {.log_evidence = {0, 0}}});
  };
  // The 97.5 % point of Student's t with 4 degrees of freedom is 2.7764.
  const auto t4 = make(4);
  expect_logit_near(t4.interval[0], -2.7764 * 0.2, 2.7764 * 0.2, 0.2 * 1.5);
  EXPECT_NEAR(t4.bayes_factor(0, 1).interval.upper, 2.7764 * 0.2, 0.015);
  expect_logit_near(make(1e6).interval[0], -1.96 * 0.2, 1.96 * 0.2, 0.2);
}

TEST(ModelProbabilities, AHopelessModelTakesNoWork) {
  const auto p = model_probabilities(std::vector<WeightedEvidence>{{.log_evidence = {0, 0.1}},
                                                                   {.log_evidence = {-1, 0.1}},
                                                                   {.log_evidence = {-60, 0.5}},
                                                                   {.log_evidence = {-kInf, kNaN}}});
  EXPECT_LT(p.interval[2].upper, 1e-20);
  EXPECT_LT(p.error_share[2], 1e-20);
  EXPECT_EQ(p.probability[3].value, 0);
  EXPECT_EQ(p.interval[3].upper, 0);
  EXPECT_EQ(p.error_share[3], 0);
  EXPECT_NEAR(std::accumulate(p.error_share.begin(), p.error_share.end(), 0.0), 1, 1e-12);
  // A hopeless model with a wild error may not be hopeless.
  const auto wild =
      model_probabilities(std::vector<WeightedEvidence>{{.log_evidence = {0, 0.1}}, {.log_evidence = {-8, 5}}});
  EXPECT_GT(wild.interval[1].upper, 0.5);
  EXPECT_GT(wild.error_share[1], 0.99);
}

TEST(ModelProbabilities, UnknownErrorsStayUnknown) {
  const auto p = model_probabilities(std::vector<WeightedEvidence>{
      {.log_evidence = {0, 0.1}}, {.log_evidence = {-1, kNaN}}, {.log_evidence = {-2, 0.1}}});
  EXPECT_NEAR(p.probability[0].value, 1 / (1 + std::exp(-1) + std::exp(-2)), 1e-12);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_TRUE(std::isnan(p.interval[k].lower));
    EXPECT_TRUE(std::isnan(p.error_share[k]));
  }
  EXPECT_TRUE(std::isnan(p.bayes_factor(0, 1).interval.lower));
  EXPECT_NEAR(p.bayes_factor(0, 2).interval.lower, 2 - 1.959964 * std::sqrt(0.02), 1e-6);
}

TEST(ModelProbabilities, PriorWeightsCount) {
  const auto p = model_probabilities(
      std::vector<WeightedEvidence>{{.log_evidence = {0, 0}, .weight = 3}, {.log_evidence = {0, 0}, .weight = 1}});
  EXPECT_NEAR(p.probability[0].value, 0.75, 1e-12);
  EXPECT_NEAR(p.interval[0].lower, 0.75, 1e-12);
  EXPECT_EQ(p.error_share[0], 0);
  EXPECT_THROW(model_probabilities(std::vector<WeightedEvidence>{{.weight = 0}}), InputError);
  EXPECT_THROW(model_probabilities(std::vector<WeightedEvidence>{{.log_evidence = {0, -1}}}), InputError);
}

// The average over errors by draws, as many as the intervals take.
std::vector<double> mean_by_draws(const std::vector<WeightedEvidence>& evidence) {
  std::vector<double> mean(evidence.size()), one(evidence.size());
  Stream stream = Streams({.seed = 31}).at({});
  for (std::size_t i = 0; i < kProbabilityDraws; ++i) {
    for (std::size_t k = 0; k < one.size(); ++k)
      one[k] = std::log(evidence[k].weight) + evidence[k].log_evidence.value +
               evidence[k].log_evidence.standard_error * stream.normal();
    const double total = log_sum_exp(one);
    for (std::size_t k = 0; k < one.size(); ++k) mean[k] += std::exp(one[k] - total) / kProbabilityDraws;
  }
  return mean;
}

TEST(MeanProbabilities, AreTheMeanOverDraws) {
  const double noise =
      5 * 0.5 / std::sqrt(static_cast<double>(kProbabilityDraws));  // a probability varies by 0.5 at most
  for (const double s : {0.0, 0.1, 0.3, 1.0})
    for (const double lead : {0.0, 1.0, 3.0}) {
      const std::vector<WeightedEvidence> e = {
          {.log_evidence = {-10, s}}, {.log_evidence = {-10 - lead, 0.5 * s}, .weight = 2}, {.log_evidence = {-12, s}}};
      const std::vector<double> mean = mean_probabilities(e), drawn = mean_by_draws(e);
      for (std::size_t k = 0; k < e.size(); ++k) EXPECT_NEAR(mean[k], drawn[k], s * noise + (s > 0.5 ? 1e-3 : 1e-5));
    }
}

// The mean of 1 / (1 + exp(x)) over a normal x, on a fine grid.
double mean_of_logistic(double mean, double sd) {
  double sum = 0, weights = 0;
  for (int i = -4000; i <= 4000; ++i) {
    const double u = i / 500.0, w = std::exp(-u * u / 2);
    sum += w / (1 + std::exp(mean + sd * u));
    weights += w;
  }
  return sum / weights;
}

TEST(MeanProbabilities, OfTwoModelsAreAMeanOfLogistics) {
  const std::vector<WeightedEvidence> exact = {{.log_evidence = {-10, 0}}, {.log_evidence = {-9, 0}}};
  EXPECT_NEAR(mean_probabilities(exact)[1], logistic(1), 1e-12);
  for (const double s : {0.3, 1.0}) {
    const std::vector<WeightedEvidence> two = {{.log_evidence = {-10, 0.6 * s}}, {.log_evidence = {-9, 0.8 * s}}};
    const std::vector<double> p = mean_probabilities(two);
    EXPECT_NEAR(p[1], mean_of_logistic(-1, s), s < 1 ? 1e-5 : 1e-3);
    EXPECT_LT(p[1], logistic(1));
    EXPECT_NEAR(p[0] + p[1], 1, 1e-15);
  }
}

TEST(MeanProbabilities, ModelsWithoutAnEvidence) {
  std::vector<WeightedEvidence> two = {{.log_evidence = {kNaN, 0.6}}, {.log_evidence = {-9, kNaN}}};
  EXPECT_EQ(mean_probabilities(two), (std::vector<double>{0, 1}));
  two[1].log_evidence.value = -kInf;
  const std::vector<double> none = mean_probabilities(two);
  EXPECT_TRUE(std::isnan(none[0]) && std::isnan(none[1]));
}

}  // namespace
}  // namespace evident
