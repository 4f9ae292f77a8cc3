// The own move must leave prior x likelihood^alpha invariant. For draws theta from the prior and any function g,
//   E[ L(theta)^alpha (g(moved theta) - g(theta)) ] = 0
// exactly, which is tested with the standard error of that mean.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "models/mixture/gaussian_mixture.hpp"
#include "models/mixture/simulate.hpp"

namespace evident {
namespace {

const Streams kStreams({.seed = 19});

struct Case {
  std::string name;
  GaussianMixtureOptions options;
  double alpha;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

struct Outcome {
  double largest_z = 0;  ///< of all test functions
  std::string where;
  double moved = 0;     ///< share of particles whose weights changed
  double ll_error = 0;  ///< of the kept log likelihood and log prior
};

using Function = std::function<double(const BlockStorage&, std::size_t)>;

std::vector<std::pair<std::string, Function>> functions(std::size_t k) {
  std::vector<std::pair<std::string, Function>> f;
  for (std::size_t j = 0; j < k; ++j) {
    const std::string name = std::to_string(j + 1);
    f.emplace_back("weight " + name, [=](const auto& t, std::size_t i) { return t(2 * k + j, i); });
    f.emplace_back("log weight " + name, [=](const auto& t, std::size_t i) { return std::log(t(2 * k + j, i)); });
    f.emplace_back("squared weight " + name,
                   [=](const auto& t, std::size_t i) { return std::pow(t(2 * k + j, i), 2); });
    f.emplace_back("log lambda " + name, [=](const auto& t, std::size_t i) { return std::log(t(k + j, i)); });
    f.emplace_back("mu weight " + name, [=](const auto& t, std::size_t i) { return t(j, i) * t(2 * k + j, i); });
    f.emplace_back("lambda weight " + name,
                   [=](const auto& t, std::size_t i) { return t(k + j, i) * t(2 * k + j, i); });
  }
  return f;
}

Outcome apply(const Case& c, double move_alpha, std::uint32_t passes) {
  const std::size_t size = 60000, k = c.options.components;
  const auto y = simulate_mixture({.means = {-2, 3}, .sds = {1, 0.5}, .weights = {2, 1}}, 8, kStreams);
  const GaussianMixture model(c.options, y);
  BlockStorage theta(3 * k, size);
  model.draw_prior(kStreams, 0, theta);
  std::vector<double> lp(size), ll(size), importance(size);
  model.log_prior(theta, lp);
  model.log_likelihood(theta, ll);
  for (std::size_t i = 0; i < size; ++i) importance[i] = std::exp(c.alpha * (ll[i] + 15));
  const BlockStorage before = theta;
  for (std::uint32_t pass = 0; pass < passes; ++pass)
    model.own_move(move_alpha, {theta, lp, ll}, {kStreams, 4, 0, pass});

  Outcome outcome;
  const double n = static_cast<double>(size);
  for (const auto& [name, g] : functions(k)) {
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const double difference = importance[i] * (g(theta, i) - g(before, i));
      sum += difference;
      squares += difference * difference;
    }
    const double z = squares > 0 ? std::abs(sum) / std::sqrt(squares - sum * sum / n) : 0;
    if (z > outcome.largest_z) outcome.largest_z = z, outcome.where = name;
  }
  std::vector<double> fresh_lp(size), fresh_ll(size);
  model.log_prior(theta, fresh_lp);
  model.log_likelihood(theta, fresh_ll);
  for (std::size_t i = 0; i < size; ++i) {
    outcome.moved += (theta(2 * k, i) != before(2 * k, i)) / n;
    outcome.ll_error = std::max({outcome.ll_error, std::abs(lp[i] - fresh_lp[i]) / (1 + std::abs(lp[i])),
                                 std::abs(ll[i] - fresh_ll[i]) / (1 + std::abs(ll[i]))});
  }
  return outcome;
}

class OwnMove : public testing::TestWithParam<Case> {};

TEST_P(OwnMove, KeepsTheTarget) {
  const Outcome outcome = apply(GetParam(), GetParam().alpha, 2);
  EXPECT_LT(outcome.largest_z, 4.0) << outcome.where;  // the largest of up to 18, correlated
  EXPECT_GT(outcome.moved, 0.1);
  EXPECT_LT(outcome.ll_error, 1e-12);
}

TEST_P(OwnMove, TestSeesTheWrongTarget) {
  const double wrong = GetParam().alpha == 0 ? 1.0 : 0.0;
  EXPECT_GT(apply(GetParam(), wrong, 1).largest_z, 6.0);
}

const GaussianMixtureOptions kFree{.components = 2};
const GaussianMixtureOptions kOrdered{.components = 3, .labels = MixtureLabels::ordered, .concentration = 2.5};
const GaussianMixtureOptions kExchange{.components = 2, .labels = MixtureLabels::ordered, .weight_moves = 0};
const GaussianMixtureOptions kNoFloor{
    .components = 2, .labels = MixtureLabels::ordered, .concentration = 0.8, .floor = 0, .weight_moves = 2};

INSTANTIATE_TEST_SUITE_P(Cases, OwnMove,
                         testing::Values(Case{"free", kFree, 0.5}, Case{"prior", kFree, 0.0},
                                         Case{"ordered", kOrdered, 0.5}, Case{"exchange", kExchange, 0.5},
                                         Case{"no_floor", kNoFloor, 0.5}),
                         [](const auto& test) { return test.param.name; });

TEST(MixtureOwnMove, RandomNumbersBelongToTheParticle) {
  const auto y = simulate_mixture({}, 30, kStreams);
  const GaussianMixture model({.components = 3, .labels = MixtureLabels::ordered}, y);
  BlockStorage theta(9, 24);
  model.draw_prior(kStreams, 0, theta);
  std::vector<double> lp(24), ll(24);
  model.log_prior(theta, lp);
  model.log_likelihood(theta, ll);
  BlockStorage part(9, 11);  // particles 8 .. 18 alone
  for (std::size_t row = 0; row < 9; ++row)
    for (std::size_t i = 0; i < 11; ++i) part(row, i) = theta(row, i + 8);
  std::vector<double> part_lp(lp.begin() + 8, lp.begin() + 19), part_ll(ll.begin() + 8, ll.begin() + 19);
  EXPECT_EQ(model.own_move(0.4, {theta, lp, ll}, {kStreams, 7, 100, 2}), 48U);
  EXPECT_EQ(model.own_move(0.4, {part, part_lp, part_ll}, {kStreams, 7, 108, 2}), 22U);
  for (std::size_t i = 0; i < 11; ++i) {
    for (std::size_t row = 0; row < 9; ++row) EXPECT_EQ(part(row, i), theta(row, i + 8));
    EXPECT_EQ(part_ll[i], ll[i + 8]);
    EXPECT_EQ(part_lp[i], lp[i + 8]);
  }
}

TEST(MixtureOwnMove, CanBeSwitchedOff) {
  const GaussianMixture model({.components = 3, .own_move = false}, {1.0, 2.0, 4.0});
  EXPECT_FALSE(model.has_own_move());
}

}  // namespace
}  // namespace evident
