#include "models/mixture/mixture_family.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <thread>
#include <vector>

#include "evident/base/error.hpp"
#include "model/model_priors.hpp"
#include "models/mixture/kernel.hpp"
#include "models/mixture/simulate.hpp"

namespace evident {
namespace {

const Streams kStreams({.seed = 3});

std::shared_ptr<const ModelPrior> poisson_counts() { return std::make_shared<CountPrior>(CountPrior::poisson(3)); }

TEST(MixtureFamily, NamesAndModels) {
  const MixtureFamily family({.components = 9}, {1.0, 5.0, 2.0}, poisson_counts());
  EXPECT_EQ(family.name(1), "1 component");
  EXPECT_EQ(family.name(4), "4 components");
  EXPECT_EQ(family.model(1).parameters().size(), 2u);
  EXPECT_EQ(family.model(4).parameters().size(), 12u);
  EXPECT_EQ(&family.model(4), &family.model(4));
  EXPECT_EQ(*family.mixture(4).options().mean_sd, 4.0);
  ASSERT_EQ(family.jumps().size(), 2u);
  EXPECT_EQ(family.jumps()[0]->name(), "split/combine");
  EXPECT_EQ(family.jumps()[1]->name(), "birth/death");
  EXPECT_DOUBLE_EQ(family.prior().log_probability(2), CountPrior::poisson(3).log_probability(2));
  EXPECT_THROW(MixtureFamily({}, {1.0}, poisson_counts()), InputError);
  EXPECT_THROW(MixtureFamily({}, {1.0, 2.0}, nullptr), InputError);
}

TEST(MixtureFamily, ManyThreadsMakeEachModelOnce) {
  const MixtureFamily family({}, simulate_mixture({}, 20, kStreams), poisson_counts());
  std::vector<std::vector<const Model*>> seen(4);
  std::vector<std::thread> threads;
  for (auto& mine : seen)
    threads.emplace_back([&] {
      for (ModelIndex k = 1; k <= 40; ++k) mine.push_back(&family.model(k));
    });
  for (auto& thread : threads) thread.join();
  for (const auto& other : seen) EXPECT_EQ(other, seen[0]);
}

TEST(MixtureFamily, MoreComponentsThanTheVectorKernelsHold) {
  const MixtureFamily family({.labels = MixtureLabels::ordered}, simulate_mixture({}, 20, kStreams), poisson_counts());
  for (const ModelIndex k : {64, 65, 100}) {
    const GaussianMixture& model = family.mixture(k);
    BlockStorage theta(3 * k, 5), d_prior(3 * k, 5), d_likelihood(3 * k, 5);
    model.draw_prior(kStreams, 0, theta);
    std::vector<double> prior(5), likelihood(5), again(5), one(3 * k), slope(3 * k);
    model.log_prior(theta, prior);
    model.log_likelihood(theta, likelihood);
    model.gradient(theta, d_prior, d_likelihood);
    for (std::size_t i = 0; i < 5; ++i) {
      for (std::size_t row = 0; row < 3 * k; ++row) one[row] = theta(row, i);
      const mixture::Likelihood data{model.observations(), k, model.options().floor};
      EXPECT_NEAR(likelihood[i], mixture::log_likelihood_scalar(data, one), 1e-10);
      mixture::gradient_scalar(data, one, slope);
      for (std::size_t row = 0; row < 3 * k; ++row)
        EXPECT_NEAR(d_likelihood(row, i), slope[row], 1e-9 * (1 + std::abs(slope[row])));
    }
    model.own_move(1, {theta, prior, likelihood}, {kStreams, 1, 0, 0});
    model.log_likelihood(theta, again);
    for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(likelihood[i], again[i], 1e-9) << k;
  }
}

TEST(GaussianMixtureSequence, PartsAddUpToTheWhole) {
  const auto y = simulate_mixture({}, 37, kStreams);
  for (const std::size_t k : {1, 3, 5, 70})
    for (const double floor : {0.0, 1e-13}) {
      const GaussianMixture model({.components = k, .floor = floor}, y);
      EXPECT_TRUE(model.has_sequence());
      ASSERT_EQ(model.observation_count(), y.size());
      BlockStorage theta(model.parameters().size(), 11);
      model.draw_prior(kStreams, 0, theta);
      std::vector<double> whole(11), part(11), sum(11, 0.0), pairs(11, 0.0);
      model.log_likelihood(theta, whole);
      for (std::size_t i = 0; i < y.size(); ++i) {
        model.log_likelihood_of(theta, i, 1, part);
        for (std::size_t p = 0; p < 11; ++p) sum[p] += part[p];
      }
      for (std::size_t i = 0; i < y.size(); i += 2) {
        model.log_likelihood_of(theta, i, std::min<std::size_t>(2, y.size() - i), part);
        for (std::size_t p = 0; p < 11; ++p) pairs[p] += part[p];
      }
      for (std::size_t p = 0; p < 11; ++p) {
        EXPECT_NEAR(sum[p], whole[p], 1e-12 * std::abs(whole[p]));
        EXPECT_NEAR(pairs[p], whole[p], 1e-12 * std::abs(whole[p]));
      }
    }
}

}  // namespace
}  // namespace evident
