#include "transdim/green.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "problems/sums.hpp"
#include "smc/union_steps.hpp"

namespace evident {
namespace {

using problems::Sums;
using problems::sums_data;

/// Shares of the models after many rounds of jumps alone, averaged over rounds, with batch-means errors.
struct Shares {
  std::map<ModelIndex, double> mean, error;
  double first_mean = 0, first_square = 0;  ///< moments of theta_1 over all visits
};

Shares run_jumps(const Sums& family, double alpha, std::size_t chains, std::size_t rounds) {
  const Executor executor(2);
  const Context context{Streams({.seed = 11}), executor};
  EvaluationCount count;
  UnionPopulation x = draw_initial(family, {.particles = chains}, context, count);
  constexpr std::size_t kBatches = 40;
  std::map<ModelIndex, std::vector<double>> batches;
  Shares out;
  double draws = 0;
  const std::size_t burn = rounds / 5;
  for (std::uint32_t t = 0; t < burn + rounds; ++t) {
    jump({family, family.prior(), alpha, count}, x, context, t + 1, 0);
    if (t < burn) continue;
    for (const auto& m : x.members) {
      auto& batch = batches.try_emplace(m.model, kBatches, 0.0).first->second;
      batch[(t - burn) * kBatches / rounds] +=
          static_cast<double>(m.x.size() * kBatches) / static_cast<double>(rounds * chains);
      for (const double v : m.x.theta.row(0)) out.first_mean += v, out.first_square += v * v, draws += 1;
    }
  }
  out.first_mean /= draws, out.first_square /= draws;
  for (const auto& [k, batch] : batches) {
    double mean = 0, squares = 0;
    for (const double v : batch) mean += v / kBatches;
    for (const double v : batch) squares += (v - mean) * (v - mean);
    out.mean[k] = mean;
    out.error[k] = std::sqrt(squares / (kBatches * (kBatches - 1)));
  }
  return out;
}

TEST(Green, JumpsAloneKeepThePrior) {
  const Sums family(sums_data(), std::make_shared<CountPrior>(CountPrior::uniform(1, 4)));
  const Shares shares = run_jumps(family, 0, 500, 2000);
  for (ModelIndex k = 1; k <= 4; ++k) {
    EXPECT_LT(shares.error.at(k), 0.005);
    EXPECT_NEAR(shares.mean.at(k), 0.25, 3.5 * shares.error.at(k)) << k;
  }
  // theta_1 ~ N(0, 1) in every model. 1e6 draws, of which one in some tens is independent.
  EXPECT_NEAR(shares.first_mean, 0, 0.03);
  EXPECT_NEAR(shares.first_square, 1, 0.04);
}

TEST(Green, CountableSetKeepsItsPrior) {
  const Sums family(sums_data(), std::make_shared<CountPrior>(CountPrior::poisson(2)));
  const Shares shares = run_jumps(family, 0, 500, 4000);
  for (ModelIndex k = 1; k <= 6; ++k)
    EXPECT_NEAR(shares.mean.at(k), std::exp(family.prior().log_probability(k)), 3.5 * shares.error.at(k)) << k;
  EXPECT_GT(shares.mean.rbegin()->first, 7U) << "models in the tail are visited too";
}

TEST(Green, JumpsAloneGiveExactModelProbabilities) {
  // A random walk of the sum is made by the jumps themselves, so no move within models is needed.
  const Sums family({2.5}, std::make_shared<CountPrior>(CountPrior::geometric(0.4)));
  const std::vector<double> exact = family.probabilities(40);
  const Shares shares = run_jumps(family, 1, 500, 4000);
  for (ModelIndex k = 1; k <= 6; ++k) EXPECT_NEAR(shares.mean.at(k), exact[k - 1], 3.5 * shares.error.at(k)) << k;
}

TEST(Green, ForwardAndBackCancel) {
  const Sums family(sums_data(), std::make_shared<CountPrior>(CountPrior::uniform(1, 5)));
  EvaluationCount count;
  const UnionTarget target{family, family.prior(), 1, count};
  const Streams streams({.seed = 3});
  for (std::uint32_t trial = 0; trial < 200; ++trial) {
    Stream random = streams.at({.step = trial});
    const ModelIndex from = 1 + trial % 5;
    std::vector<double> theta(from);
    for (double& v : theta) v = random.normal();
    for (const auto& jump : family.jumps()) {
      const auto choice = jump->choose(target.models, from, theta, random);
      ASSERT_TRUE(choice);
      std::vector<double> u(jump->auxiliaries(from, choice->to)), u_to(jump->auxiliaries(choice->to, from));
      std::vector<double> there(choice->to), back(from), u_back(u.size());
      jump->draw_auxiliaries(from, *choice, theta, random, u);
      const auto image = jump->map(from, *choice, theta, u, there, u_to);
      ASSERT_TRUE(image);
      const auto again = jump->map(choice->to, image->back, there, u_to, back, u_back);
      ASSERT_TRUE(again);
      EXPECT_EQ(again->back, *choice);
      EXPECT_NEAR(image->log_jacobian + again->log_jacobian, 0, 1e-12);
      for (std::size_t j = 0; j < from; ++j) EXPECT_NEAR(back[j], theta[j], 1e-12);
    }
  }
}

TEST(Green, WeightsStayWithTheirParticles) {
  const Sums family(sums_data(), std::make_shared<CountPrior>(CountPrior::uniform(1, 4)));
  const Executor executor(1);
  const Context context{Streams({.seed = 5}), executor};
  EvaluationCount count;
  UnionPopulation x = draw_initial(family, {.particles = 100}, context, count);
  // A particle is known by its sum: "append" changes it, so only the weights' multiset can be followed.
  x.weights.absorb(x.log_likelihood(), 0.05);
  std::vector<double> before(x.weights.values().begin(), x.weights.values().end());
  jump({family, family.prior(), 0.05, count}, x, context, 1, 0);
  std::vector<double> after(x.weights.values().begin(), x.weights.values().end());
  std::ranges::sort(before), std::ranges::sort(after);
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_NEAR(after[i], before[i], 1e-14);
  for (const auto& m : x.members) {
    EXPECT_TRUE(std::ranges::is_sorted(x.members, {}, &UnionPopulation::Member::model));
    for (std::size_t c = 0; c < m.x.size(); ++c) {
      double sum = 0, l = 0;
      for (std::size_t j = 0; j < m.model; ++j) sum += m.x.theta(j, c);
      for (const double v : sums_data()) l += problems::log_normal(v, sum, 1);
      EXPECT_NEAR(m.x.log_likelihood[c], l, 1e-12) << "what is known of a particle goes with it";
    }
  }
}

TEST(Green, ThreadsDoNotMatter) {
  const Sums family(sums_data(), std::make_shared<CountPrior>(CountPrior::poisson(3)));
  std::vector<std::vector<double>> results;
  for (const unsigned threads : {1U, 2U, 5U}) {
    const Executor executor(threads);
    const Context context{Streams({.seed = 5}), executor};
    EvaluationCount count;
    UnionPopulation x = draw_initial(family, {.particles = 300}, context, count);
    for (std::uint32_t t = 1; t < 20; ++t) jump({family, family.prior(), 0.5, count}, x, context, t, 0);
    const auto l = x.log_likelihood();
    results.emplace_back(l.begin(), l.end());
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

}  // namespace
}  // namespace evident
