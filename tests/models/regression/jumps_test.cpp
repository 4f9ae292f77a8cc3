// The jumps between regressions, and that jumps together with exact posteriors return the exact model probabilities.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <map>
#include <memory>

#include "model/model_priors.hpp"
#include "models/regression/regression_family.hpp"
#include "models/regression/simulate.hpp"
#include "support/jump_check.hpp"

namespace evident {
namespace {

std::shared_ptr<const RegressionData> data(std::size_t n = 40) {
  const auto table = simulate_regression({}, n, Streams({.seed = 21}));
  return std::make_shared<const RegressionData>(table.y, table.columns, table.names);
}

TEST(RegressionJumps, BijectionsWithJacobianOne) {
  const RegressionFamily family(data(), {});
  for (const auto& jump : family.jumps()) {
    SCOPED_TRACE(std::string(jump->name()));
    for (const ModelIndex k : {0b00001, 0b10010, 0b01101, 0b11011})
      EXPECT_EQ(testing_support::expect_bijection(family, *jump, k, 20, 30 + k), 20u);
  }
  EXPECT_EQ(testing_support::expect_bijection(family, *family.jumps()[0], 0, 20, 31), 20u);
  EXPECT_EQ(testing_support::expect_bijection(family, *family.jumps()[0], 31, 20, 32), 20u);
  EXPECT_EQ(testing_support::expect_bijection(family, *family.jumps()[1], 0, 20, 33), 0u) << "nothing to swap";
  EXPECT_EQ(testing_support::expect_bijection(family, *family.jumps()[1], 31, 20, 34), 0u) << "nothing to swap";
}

TEST(RegressionJumps, ChoicesComeAsOftenAsSaid) {
  const RegressionFamily family(data(), {});
  const Jump &add = *family.jumps()[0], &swap = *family.jumps()[1];
  for (const ModelIndex k : {0b00000, 0b00110, 0b11111})
    testing_support::expect_choices_as_said(family, add, family.prior(), k, 40 + k);
  for (const ModelIndex k : {0b00001, 0b00110, 0b11101})
    testing_support::expect_choices_as_said(family, swap, family.prior(), k, 50 + k);
  testing_support::expect_choices_as_said(family, swap, family.prior(), 0, 51, 0);
  const ListedModels some({{0b001, 1.0}, {0b011, 1.0}, {0b101, 2.0}, {0b110, 1.0}});
  testing_support::expect_choices_as_said(family, add, some, 0b001, 41);
  testing_support::expect_choices_as_said(family, add, some, 0b110, 42, 0);
  testing_support::expect_choices_as_said(family, swap, some, 0b011, 43, 2.0 / 6);  // 4 of 6 pairs lead nowhere
}

TEST(RegressionJumps, PriorOfTheModelsIsLeftAsItIs) {
  const auto prior = std::make_shared<ListedModels>(
      std::map<ModelIndex, double>{{0b00, 1}, {0b01, 2}, {0b10, 3}, {0b11, 1.5}, {0b100, 2}, {0b110, 1}});
  const RegressionFamily family(data(15), {}, prior);
  testing_support::expect_prior_of_models(family, *family.jumps()[0], 1, 100'000, 61);
  const auto singles = std::make_shared<ListedModels>(std::map<ModelIndex, double>{{0b01, 2}, {0b10, 3}, {0b100, 1}});
  const RegressionFamily small(data(15), {}, singles);
  testing_support::expect_prior_of_models(small, *small.jumps()[1], 1, 100'000, 62);
}

/// An exact draw from the posterior of one model.
std::vector<double> posterior_draw(const RegressionFamily& family, ModelIndex k, Stream& random) {
  const RegressionData& d = family.data();
  const auto& o = family.regression(k).options();
  std::vector<std::size_t> columns{0};
  for (std::size_t j = 0; j < d.covariates(); ++j)
    if (k >> j & 1) columns.push_back(j + 1);
  const auto size = static_cast<Eigen::Index>(columns.size());
  Eigen::MatrixXd p(size, size);
  Eigen::VectorXd right(size), noise(size);
  double square = 0;
  for (const double y : d.response()) square += y * y;
  for (Eigen::Index i = 0; i < size; ++i) {
    const auto a = columns[static_cast<std::size_t>(i)];
    for (Eigen::Index j = 0; j < size; ++j) p(i, j) = d.product(a, columns[static_cast<std::size_t>(j)]);
    const double s = i == 0 ? o.intercept_scale : o.coefficient_scale;
    p(i, i) += 1 / (s * s);
    right[i] = d.product_with_response(a);
    noise[i] = random.normal();
  }
  const Eigen::LLT<Eigen::MatrixXd> root(p);
  const Eigen::VectorXd mean = root.solve(right);
  const double shape = o.precision_shape + 0.5 * static_cast<double>(d.rows());
  const double rate = o.precision_rate + 0.5 * (square - mean.dot(right));
  const double precision = gamma_rate(shape, rate).draw(random);
  const Eigen::VectorXd c = mean + root.matrixU().solve(noise) / std::sqrt(precision);
  std::vector<double> theta{precision};
  theta.insert(theta.end(), c.begin(), c.end());
  return theta;
}

double log_likelihood(const Model& model, std::span<const double> theta) {
  double out = 0;
  model.log_likelihood(testing_support::as_block(theta), std::span(&out, 1));
  return out;
}

/// Jumps from exact posterior draws visit the models with their exact probabilities. Also shows that jumps are accepted
/// often.
TEST(RegressionJumps, VisitsAreTheExactProbabilities) {
  const RegressionFamily family(data(), {});
  std::map<ModelIndex, double> exact;
  double total = 0;
  const double top = family.regression(31).exact_log_evidence();
  for (ModelIndex k = 0; k < 32; ++k) total += exact[k] = std::exp(family.regression(k).exact_log_evidence() - top);
  constexpr std::size_t kSteps = 60'000, kBatches = 50;
  std::map<ModelIndex, std::vector<double>> visits;
  const Streams streams({.seed = 63});
  std::vector<double> proposed(2), accepted(2);
  ModelIndex k = 1;
  for (std::size_t i = 0; i < kSteps; ++i) {
    Stream random = streams.at({.particle = static_cast<std::uint32_t>(i), .purpose = Purpose::jump});
    for (std::size_t which = 0; which < 2; ++which) {
      const auto theta = posterior_draw(family, k, random);
      const auto p = testing_support::propose_under_prior(family, *family.jumps()[which], k, theta, random);
      if (!p) continue;
      const double ratio =
          log_likelihood(family.model(p->choice.to), p->to.theta) - log_likelihood(family.model(k), theta);
      ++proposed[which];
      if (std::log(random.uniform()) < p->log_ratio + ratio) {
        k = p->choice.to;
        ++accepted[which];
      }
    }
    visits[k].resize(kBatches, 0.0);
    visits[k][i * kBatches / kSteps] += static_cast<double>(kBatches) / kSteps;
  }
  for (const auto& [model, weight] : exact) {
    if (weight / total < 0.01) continue;
    double mean = 0, square = 0;
    for (const double b : visits[model]) mean += b / kBatches;
    for (const double b : visits[model]) square += (b - mean) * (b - mean);
    EXPECT_NEAR(mean, weight / total, 4.5 * std::sqrt(square / (kBatches * (kBatches - 1.0)))) << family.name(model);
  }
  EXPECT_GT(accepted[0] / proposed[0], 0.15);
  EXPECT_GT(accepted[1] / proposed[1], 0.02);
}

}  // namespace
}  // namespace evident
