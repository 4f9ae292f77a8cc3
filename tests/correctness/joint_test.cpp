// Geweke's joint test of every kernel and every jump, in small; bench/sbc.cpp does it at length.
#include "correctness/joint.hpp"

#include <gtest/gtest.h>

#include "correctness/verdicts.hpp"

namespace evident::correctness {
namespace {

constexpr double kLevel = 0.01;  // by Holm, over the functions of all moves of a list

void expect_joint_kept(const std::vector<JointMove>& moves, const JointOptions& options) {
  const Executor executor(1);
  std::vector<double> p_values;
  std::vector<std::string> where;
  for (const JointMove& move : moves) {
    const JointTest test = joint_test(move, options, executor);
    EXPECT_GT(test.moved, 0.02) << move.name;
    for (const double p : test.p_values()) {
      p_values.push_back(p);
      where.push_back(move.name + ", furthest off: " + test.worst());
    }
  }
  const std::vector<double> adjusted = holm(p_values);
  std::string last;
  for (std::size_t i = 0; i < adjusted.size(); ++i) {
    if (adjusted[i] > kLevel || where[i] == last) continue;
    last = where[i];
    ADD_FAILURE() << last;
  }
}

TEST(JointTest, KernelsAndOwnMoves) { expect_joint_kept(kernel_moves(), {.chains = 100, .steps = 30, .direct = 1500}); }
TEST(JointTest, JumpsBetweenModels) { expect_joint_kept(jump_moves(), {.chains = 200, .steps = 30, .direct = 3000}); }

/// A move that is a little wrong: it takes every step that a random walk proposes in the precision.
TEST(JointTest, SeesAMoveThatForgetsToRefuse) {
  JointMove wrong = own_move("always accepts", problems::regression_world(), 3);
  wrong.move = [](const problems::Observations&, State& state, const Streams& streams) {
    Stream random = streams.at({.purpose = Purpose::proposal});
    state.theta[0] *= std::exp(0.2 * random.normal());
  };
  const Executor executor(1);
  const JointTest test = joint_test(wrong, {.chains = 200, .steps = 40, .direct = 2000}, executor);
  EXPECT_LT(smallest_adjusted(test.p_values()), 1e-4);
}

}  // namespace
}  // namespace evident::correctness
