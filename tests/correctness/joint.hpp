// Geweke's joint test (2004): a move and draws of new data, by turns, walk over (model, parameters, data). If the move
// leaves every posterior as it is, the walk keeps the joint distribution, which can also be drawn from directly.
//
// Chains start in the joint distribution and are independent, so that the means of each over its second half are
// independent numbers: their spread is an honest standard error, whatever the autocorrelation.
//
//   for (const JointMove& move : kernel_moves()) {
//     const JointTest test = joint_test(move, {.chains = 200}, executor);
//     smallest_adjusted(test.p_values());
//   }
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "evident/base/context.hpp"
#include "evident/kernel/options.hpp"
#include "problems/worlds.hpp"

namespace evident::correctness {

/// Where a chain is, but for its data.
struct State {
  std::size_t model = 0;
  std::vector<double> theta;
};

struct JointMove {
  std::string name;
  problems::World world;
  std::optional<std::size_t> model;  ///< the one that it moves in; nothing when it moves between them
  /// Must leave the posterior of the state given the data invariant.
  std::function<void(const problems::Observations& y, State& state, const Streams& streams)> move;
};

struct JointOptions {
  std::size_t chains = 200;
  std::size_t steps = 40;      ///< of each; the second half counts
  std::size_t direct = 20000;  ///< draws from the joint distribution
  std::uint64_t seed = 1;
};

struct JointTest {
  std::vector<std::string> functions = {};
  std::vector<double> z = {};
  double degrees = 0;  ///< of freedom, of the standard errors
  double moved = 0;    ///< share of the moves that changed something

  std::vector<double> p_values() const;
  /// The function with the largest z, for messages.
  std::string worst() const;
};

JointTest joint_test(const JointMove& move, const JointOptions& options, const Executor& executor);

/// A kernel of the library with a fixed calibration; `chain` states of move_chains() when above 1, as in waste-free
/// runs.
JointMove kernel_move(const std::string& name, const problems::World& world, std::size_t model, KernelOptions options,
                      std::size_t chain = 1);
/// The model's own move alone.
JointMove own_move(const std::string& name, const problems::World& world, std::size_t model);
/// One kind of jump of the world's family, alone.
JointMove jump_move(const std::string& name, const problems::World& world, std::size_t jump);

/// Every kernel, and the models' own moves but for that of Goodwin, which makes a map of each data set first.
std::vector<JointMove> kernel_moves();
/// Every jump between models.
std::vector<JointMove> jump_moves();

}  // namespace evident::correctness
