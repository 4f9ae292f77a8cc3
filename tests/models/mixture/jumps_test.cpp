// The jumps between mixtures: bijections, Jacobians, choices, and acceptance ratios against formulas worked out by
// hand.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "evident/dist/distribution.hpp"
#include "model/model_priors.hpp"
#include "models/mixture/mixture_family.hpp"
#include "models/mixture/simulate.hpp"
#include "support/jump_check.hpp"

namespace evident {
namespace {

using testing_support::as_block;
using testing_support::log_prior;
using testing_support::prior_draw;

std::shared_ptr<const ModelPrior> counts(ModelIndex lowest, ModelIndex highest) {
  return std::make_shared<CountPrior>(CountPrior::uniform(lowest, highest));
}

class MixtureJumps : public testing::TestWithParam<MixtureLabels> {
 protected:
  static MixtureFamily family(std::shared_ptr<const ModelPrior> prior, double concentration = 1, double shape = 2) {
    return {{.labels = GetParam(), .precision_shape = shape, .concentration = concentration},
            simulate_mixture({}, 30, Streams({.seed = 5})),
            std::move(prior)};
  }
};

TEST_P(MixtureJumps, BijectionsWithTheRightJacobian) {
  const auto f = family(counts(1, 7), 1.7, 3);
  for (const auto& jump : f.jumps()) {
    SCOPED_TRACE(std::string(jump->name()));
    for (ModelIndex k = 1; k <= 6; ++k) EXPECT_GT(testing_support::expect_bijection(f, *jump, k, 60, 100 + k), 12u);
  }
}

TEST_P(MixtureJumps, ChoicesComeAsOftenAsSaid) {
  const auto f = family(counts(1, 6));
  for (const auto& jump : f.jumps()) {
    SCOPED_TRACE(std::string(jump->name()));
    for (const ModelIndex k : {1, 2, 3, 6}) testing_support::expect_choices_as_said(f, *jump, f.prior(), k, 7 + k);
    const ListedModels alone({{3, 1.0}}), holes({{3, 1.0}, {4, 1.0}, {6, 1.0}});
    testing_support::expect_choices_as_said(f, *jump, alone, 3, 1, 0);
    testing_support::expect_choices_as_said(f, *jump, holes, 4, 1);
    EXPECT_EQ(jump->log_choice(holes, 4, prior_draw(f.model(4), Streams({.seed = 1}), 0), {5, 0}), -kInf);
  }
}

/// With the new component from the prior, all of it cancels but the probabilities of going up and down.
TEST_P(MixtureJumps, BirthCancelsThePrior) {
  for (const double concentration : {0.5, 1.0, 2.5}) {
    const auto f = family(counts(1, 20), concentration);
    const Jump& birth = *f.jumps()[1];
    const Streams streams({.seed = 9});
    for (ModelIndex k = 1; k <= 6; ++k)
      for (std::uint32_t i = 0; i < 30; ++i) {
        Stream random = streams.at({.particle = i, .purpose = Purpose::jump});
        const auto theta = prior_draw(f.model(k), streams, i);
        const auto p = testing_support::propose_under_prior(f, birth, k, theta, random);
        ASSERT_TRUE(p);
        const double ends = k == 1 ? std::log(0.5) : p->choice.to == 1 ? std::log(2.0) : 0.0;
        EXPECT_NEAR(p->log_ratio, ends, 1e-9 * (1 + std::abs(log_prior(f.model(k), theta))));
      }
  }
}

/// log k+1 - log k of the Dirichlet's constant, the densities of the three components, u and J: written out once more.
double split_ratio(const GaussianMixtureOptions& o, ModelIndex k, const std::array<double, 3>& whole,
                   const std::array<std::array<double, 3>, 2>& children, std::span<const double> u) {
  const Distribution mean = normal(*o.mean_center, *o.mean_sd);
  const Distribution precision = gamma_scale(o.precision_shape, *o.precision_scale);
  const double a = o.concentration, n = static_cast<double>(k);
  const auto density = [&](const std::array<double, 3>& c) {
    return mean.log_density(c[0]) + precision.log_density(c[1]) + (a - 1) * std::log(c[2]);
  };
  const double w = whole[2], lambda = whole[1];
  const double dirichlet = std::lgamma((n + 1) * a) - std::lgamma(n * a) - std::lgamma(a);
  const double jacobian = w * std::sqrt(lambda) * (std::sqrt((1 - u[0]) / u[0]) + std::sqrt(u[0] / (1 - u[0]))) * u[0] *
                          (1 - u[0]) / (std::pow(u[2] * (1 - u[2]), 2) * std::pow(1 - u[1] * u[1], 3));
  return density(children[0]) + density(children[1]) - density(whole) + dirichlet + std::log(n + 1) +
         std::log(jacobian) - std::log(36 * u[0] * (1 - u[0]) * u[1] * (1 - u[1]));
}

std::array<double, 3> component(const std::vector<double>& theta, std::size_t k, std::size_t j) {
  return {theta[j], theta[k + j], k == 1 ? 1.0 : theta[2 * k + j]};
}

TEST_P(MixtureJumps, SplitHasTheRatioOfRichardsonAndGreen) {
  const auto f = family(counts(1, 20), 1.4);
  const Jump& split = *f.jumps()[0];
  const bool ordered = GetParam() == MixtureLabels::ordered;
  const Streams streams({.seed = 10});
  std::size_t checked = 0;
  for (ModelIndex k = 1; k <= 6; ++k)
    for (std::uint32_t i = 0; i < 60; ++i) {
      Stream random = streams.at({.particle = i, .purpose = Purpose::jump});
      const auto theta = prior_draw(f.model(k), streams, i);
      const auto choice = split.choose(f.prior(), k, theta, random);
      if (choice->to < k) continue;
      std::vector<double> u(3);
      split.draw_auxiliaries(k, *choice, theta, random, u);
      const auto to = testing_support::land(f, split, k, *choice, theta, u);
      if (!to) continue;
      const double ratio = log_prior(f.model(k + 1), to->theta) - log_prior(f.model(k), theta) +
                           split.log_choice(f.prior(), k + 1, to->theta, to->image.back) -
                           split.log_choice(f.prior(), k, theta, *choice) - split.log_auxiliary(k, *choice, theta, u) +
                           to->image.log_jacobian;
      const std::size_t j = ordered ? choice->variant : choice->variant / (k + 1);
      const std::size_t upper = ordered ? j + 1 : choice->variant % (k + 1), lower = j < upper ? j : j + 1;
      const double expected = split_ratio(f.mixture(k).options(), k, component(theta, k, j),
                                          {component(to->theta, k + 1, lower), component(to->theta, k + 1, upper)}, u) +
                              (k == 1 ? std::log(0.5) : 0.0);
      EXPECT_NEAR(ratio, expected, 1e-9 * (1 + std::abs(expected)));
      ++checked;
    }
  EXPECT_GT(checked, 60u);
}

/// Moments that a split keeps.
TEST_P(MixtureJumps, SplitKeepsWeightMeanAndVariance) {
  const auto f = family(counts(1, 20));
  const Jump& split = *f.jumps()[0];
  const auto moments = [](const std::vector<double>& theta) {
    const std::size_t k = theta.size() == 2 ? 1 : theta.size() / 3;
    std::array<double, 3> m{};
    for (std::size_t j = 0; j < k; ++j) {
      const auto [mu, lambda, w] = component(theta, k, j);
      m[0] += w;
      m[1] += w * mu;
      m[2] += w * (mu * mu + 1 / lambda);
    }
    return m;
  };
  const Streams streams({.seed = 11});
  for (ModelIndex k = 1; k <= 4; ++k)
    for (std::uint32_t i = 0; i < 20; ++i) {
      Stream random = streams.at({.particle = i, .purpose = Purpose::jump});
      const auto theta = prior_draw(f.model(k), streams, i);
      const auto p = testing_support::propose_under_prior(f, split, k, theta, random);
      if (p) testing_support::expect_close(moments(p->to.theta), moments(theta), 1e-12);
    }
}

/// Ordered labels stay in order, weights add up to 1.
TEST_P(MixtureJumps, JumpsLandWhereThePriorIsPositive) {
  const auto f = family(counts(1, 20));
  const Streams streams({.seed = 12});
  for (const auto& jump : f.jumps())
    for (ModelIndex k = 1; k <= 5; ++k)
      for (std::uint32_t i = 0; i < 50; ++i) {
        Stream random = streams.at({.particle = i, .purpose = Purpose::jump});
        const auto theta = prior_draw(f.model(k), streams, i);
        const auto p = testing_support::propose_under_prior(f, *jump, k, theta, random);
        if (!p) continue;
        EXPECT_GT(log_prior(f.model(p->choice.to), p->to.theta), -kInf);
      }
}

TEST_P(MixtureJumps, PriorOfTheModelsIsLeftAsItIs) {
  const auto f = family(
      std::make_shared<ListedModels>(std::map<ModelIndex, double>{{1, 0.3}, {2, 0.2}, {3, 0.25}, {4, 0.15}, {5, 0.1}}),
      1.5);
  for (const auto& jump : f.jumps()) {
    SCOPED_TRACE(std::string(jump->name()));
    testing_support::expect_prior_of_models(f, *jump, 1, 200'000, 13);
  }
}

INSTANTIATE_TEST_SUITE_P(Labels, MixtureJumps, testing::Values(MixtureLabels::free, MixtureLabels::ordered),
                         [](const auto& label) { return label.param == MixtureLabels::free ? "free" : "ordered"; });

}  // namespace
}  // namespace evident
