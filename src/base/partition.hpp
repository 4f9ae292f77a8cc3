// Particles spread over the ranks of a team, and sums over all of them whose bits do not depend on how they are spread.
//
//   BlockPartition partition = partition_blocks(team, particles);  // rank r has the blocks first[r] .. first[r+1]-1
//   const auto one_number = [&](std::size_t block, double* out) { *out = sum_of(block); };
//   const auto sums = tree_sums({{.first = 0, .last = blocks, .width = 1, .values = one_number}}, &partition);
//
// Blocks are added in pairs, the pairs in pairs, and so on: a tree over the numbers of the blocks, which is always the
// same. A rank adds up the branches that it has all of; these few go to every rank, which adds them up.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/team.hpp"
#include "evident/base/context.hpp"

namespace evident {

struct BlockPartition {
  Team& team;
  std::vector<std::size_t> first;        ///< blocks: rank r has first[r] .. first[r+1]-1
  std::array<std::uint64_t, 3> known{};  ///< evaluations of all ranks, when they were last counted

  std::size_t begin() const { return first[team.rank()]; }
  std::size_t end() const { return first[team.rank() + 1]; }
  /// The same in particles, of n in all.
  std::vector<std::size_t> particles(std::size_t n) const;
  /// Everybody gets all entries of a list with one number a particle.
  void gather(std::span<double> values) const;
};

/// Equal shares of the blocks that n particles fill.
BlockPartition partition_blocks(Team& team, std::size_t n);

/// One sum over the blocks first .. last-1, of `width` numbers a block.
struct TreeSum {
  std::size_t first = 0, last = 0, width = 1;
  std::function<void(std::size_t block, double* out)> values;  ///< asked for blocks that this rank has
};

/// Several sums, with one message. `partition` is null when all the particles are here.
std::vector<std::vector<double>> tree_sums(std::span<const TreeSum> sums, const BlockPartition* partition);

}  // namespace evident
