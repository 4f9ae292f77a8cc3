// The own move must leave prior x likelihood^alpha invariant. For draws theta from the prior and any function g,
//   E[ L(theta)^alpha (g(moved theta) - g(theta)) ] = 0
// exactly, which is tested with the standard error of that mean. The priors here are narrow enough for such means.
#include <gtest/gtest.h>

#include <cmath>
#include <ostream>
#include <string>
#include <vector>

#include "models/goodwin/goodwin.hpp"
#include "models/goodwin/problems.hpp"

namespace evident {
namespace {

const Streams kStreams({.seed = 23});

struct Case {
  std::string name;
  std::size_t components;
  double alpha;
  std::vector<std::size_t> states{0, 1};
  double sigma = 1;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

/// Six times and large errors: the likelihood says something, but not so much that few draws carry all the weight.
Goodwin make(const Case& c, std::size_t tries = 4) {
  GoodwinSimulation s = test::typical(c.components);
  s.times = {1, 2, 4, 6, 9, 12};
  s.states = c.states;
  s.sigma = c.sigma;
  GoodwinOptions options{.components = c.components, .sigma = c.sigma, .own_tries = tries};
  for (const double x : s.theta) options.priors.push_back(gamma_rate(3, 3 / x));
  return Goodwin(simulate_goodwin(s, kStreams), options);
}

struct Outcome {
  double largest_z = 0;  ///< of all test functions
  std::string where{};
  double moved = 0;  ///< share of particles
  double ll_error = 0, lp_error = 0;
};

/// Means of log theta, its square, its products with the next one, and of theta.
std::vector<double> functions(const BlockStorage& theta, std::size_t i) {
  std::vector<double> out;
  for (std::size_t j = 0; j < theta.rows(); ++j) {
    const double x = std::log(theta(j, i));
    out.insert(out.end(), {x, x * x, x * std::log(theta((j + 1) % theta.rows(), i)), theta(j, i)});
  }
  return out;
}

Outcome apply(const Case& c, double move_alpha) {
  const std::size_t size = 40000;
  const Goodwin model = make(c);
  BlockStorage theta(c.components + 2, size);
  model.draw_prior(kStreams, 0, theta);
  std::vector<double> lp(size), ll(size), fresh(size), importance(size);
  model.log_prior(theta, lp);
  model.log_likelihood(theta, ll);
  const double top = *std::max_element(ll.begin(), ll.end());
  for (std::size_t i = 0; i < size; ++i) importance[i] = std::exp(c.alpha * (ll[i] - top));
  const BlockStorage before = theta;
  model.own_move(move_alpha, {theta, lp, ll}, {kStreams, 4, 0, 0});

  Outcome outcome;
  const std::size_t count = 4 * theta.rows();
  std::vector<double> sum(count), squares(count);
  for (std::size_t i = 0; i < size; ++i) {
    const auto now = functions(theta, i), then = functions(before, i);
    for (std::size_t k = 0; k < count; ++k) {
      const double difference = importance[i] * (now[k] - then[k]);
      sum[k] += difference;
      squares[k] += difference * difference;
    }
    outcome.moved += (theta(0, i) != before(0, i) || theta(1, i) != before(1, i)) / static_cast<double>(size);
  }
  for (std::size_t k = 0; k < count; ++k) {
    const double z = squares[k] > 0 ? std::abs(sum[k]) / std::sqrt(squares[k]) : 0;
    if (z > outcome.largest_z) outcome.largest_z = z, outcome.where = std::to_string(k);
  }
  model.log_prior(theta, fresh);
  for (std::size_t i = 0; i < size; ++i)
    outcome.lp_error = std::max(outcome.lp_error, std::abs(lp[i] - fresh[i]) / (1 + std::abs(lp[i])));
  model.log_likelihood(theta, fresh);
  for (std::size_t i = 0; i < size; ++i)
    outcome.ll_error = std::max(outcome.ll_error, std::abs(ll[i] - fresh[i]) / (1 + std::abs(ll[i])));
  return outcome;
}

class GoodwinTarget : public testing::TestWithParam<Case> {};

TEST_P(GoodwinTarget, KeepsTheTarget) {
  const Outcome outcome = apply(GetParam(), GetParam().alpha);
  EXPECT_LT(outcome.largest_z, 4.0) << outcome.where;  // the largest of up to 28, correlated
  EXPECT_GT(outcome.moved, 0.01);
  EXPECT_LT(outcome.lp_error, 1e-13);
  EXPECT_LT(outcome.ll_error, 1e-6);  // what the solver promises: the last digits of b decide where its steps end
}

INSTANTIATE_TEST_SUITE_P(Cases, GoodwinTarget,
                         testing::Values(Case{"two", 2, 0.5}, Case{"three", 3, 0.3}, Case{"three_full", 3, 1.0},
                                         Case{"three_low", 3, 0.02}, Case{"five", 5, 0.3},
                                         Case{"five_full", 5, 1.0, {0, 1}, 2}, Case{"only_the_first", 3, 0.5, {0}},
                                         Case{"gap", 5, 0.5, {0, 2}, 3}, Case{"last_and_twice", 3, 0.5, {2, 0, 2}}),
                         [](const auto& test) { return test.param.name; });

TEST(GoodwinOwnMove, TestSeesTheWrongTarget) {
  EXPECT_GT(apply({"three", 3, 0.3}, 1.0).largest_z, 6.0);
  EXPECT_GT(apply({"five", 5, 0.3}, 1.0).largest_z, 6.0);
}

TEST(GoodwinOwnMove, RandomNumbersBelongToTheParticle) {
  const Goodwin model(simulate_goodwin(test::short_record(3), kStreams));
  BlockStorage theta(5, 24);
  const auto all = test::draws(test::Cloud::near_fit, test::typical(3).theta, 24);
  for (std::size_t i = 0; i < 24; ++i)
    for (std::size_t j = 0; j < 5; ++j) theta(j, i) = all[i][j];
  std::vector<double> lp(24), ll(24);
  model.log_prior(theta, lp);
  model.log_likelihood(theta, ll);
  const BlockStorage before = theta;
  BlockStorage part(5, 11);  // particles 5 .. 15 alone, in other lanes
  for (std::size_t row = 0; row < 5; ++row)
    for (std::size_t i = 0; i < 11; ++i) part(row, i) = theta(row, i + 5);
  std::vector<double> part_lp(lp.begin() + 5, lp.begin() + 16), part_ll(ll.begin() + 5, ll.begin() + 16);
  const std::size_t each = model.own_move(0.01, {theta, lp, ll}, {kStreams, 7, 100, 0}) / 24;
  EXPECT_EQ(model.own_move(0.01, {part, part_lp, part_ll}, {kStreams, 7, 105, 0}), 11 * each);
  std::size_t moved = 0;
  for (std::size_t i = 0; i < 11; ++i) {
    moved += part(0, i) != before(0, i + 5);
    for (std::size_t row = 0; row < 5; ++row) EXPECT_EQ(part(row, i), theta(row, i + 5));
    EXPECT_EQ(part_ll[i], ll[i + 5]);
    EXPECT_EQ(part_lp[i], lp[i + 5]);
  }
  EXPECT_GT(moved, 0U);
}

TEST(GoodwinOwnMove, LeavesImpossibleParticlesAlone) {
  const Goodwin model(simulate_goodwin(test::short_record(3), kStreams), {.max_steps = 3000});
  const std::vector<double> extreme{1e-300, 1e300, 1e300, 1e300, 1e300}, typical = test::typical(3).theta;
  BlockStorage theta = test::as_block({extreme, typical, {1e300, 1, 1, 1, 1}, {1e-300, 1e-300, 1e-300, 1, 1}});
  std::vector<double> lp(4), ll(4);
  model.log_prior(theta, lp);
  model.log_likelihood(theta, ll);
  for (std::uint32_t step = 0; step < 20; ++step) model.own_move(0.5, {theta, lp, ll}, {kStreams, step, 0, 0});
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_FALSE(std::isnan(ll[i]) || std::isnan(lp[i])) << i;
    for (std::size_t j = 0; j < 5; ++j) EXPECT_TRUE(theta(j, i) > 0 && std::isfinite(theta(j, i))) << i << ' ' << j;
  }
}

TEST(GoodwinOwnMove, CanBeSwitchedOffAndSparesThePrior) {
  const Case c{"", 3, 0};
  EXPECT_FALSE(make(c, 0).has_own_move());
  const Goodwin model = make(c);
  EXPECT_TRUE(model.has_own_move());
  BlockStorage theta = test::as_block({test::typical(3).theta});
  std::vector<double> lp(1), ll(1);
  EXPECT_EQ(model.own_move(0.0, {theta, lp, ll}, {kStreams, 1, 0, 0}), 0U);
  EXPECT_EQ(theta(0, 0), test::typical(3).theta[0]);
}

TEST(GoodwinSums, AreThoseOfTheTrajectory) {
  for (const std::size_t m : {2, 3, 5}) {
    const GoodwinData data = test::typical_data(m);
    const GoodwinProblem problem(data, m, 10, 0.2);
    const auto all = test::draws(test::Cloud::wide, test::typical(m).theta, 19);
    const BlockStorage theta = test::as_block(all);
    BlockStorage sums(4, 19);
    std::vector<double> ll(19), same(19);
    goodwin_log_likelihood(problem, theta, same);
    goodwin_sums(problem, theta, ll, sums);
    EXPECT_EQ(ll, same);
    for (std::size_t i = 0; i < all.size(); ++i) {
      GoodwinSimulation s = test::typical(m);
      s.theta = all[i];
      const auto states = goodwin_trajectory(s);
      for (std::size_t c = 0; c < 2; ++c) {
        double square = 0, product = 0;
        for (std::size_t j = 0; j < data.times.size(); ++j) {
          square += states[j][c] * states[j][c];
          product += states[j][c] * data.values[c][j];
        }
        EXPECT_NEAR(sums(2 * c, i), square, 2e-5 * square) << m << ' ' << i;
        EXPECT_NEAR(sums(2 * c + 1, i), product, 2e-5 * std::abs(product) + 1e-12) << m << ' ' << i;
      }
    }
  }
}

}  // namespace
}  // namespace evident
