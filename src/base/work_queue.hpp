// Work in numbered pieces that threads and ranks fetch as they get ready, so that a slow one does not hold the rest
// back.
//
//   run_queue({.pieces = open,                                             // rank 0's list counts
//         .work = [&](std::uint64_t number) { return bytes_of(number); },        // any rank, any thread
//         .take = [&](std::uint64_t number, auto bytes) { journal.append(number, bytes); }},   // rank 0, any thread
//        team, executor, stop);
//
// Rank 0 hands the pieces out, works too, and alone gets the results, each once. When no piece is left, one that has
// been out for far longer than any other took is given to somebody else as well; the first result counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

#include "base/team.hpp"
#include "evident/base/context.hpp"

namespace evident {

struct WorkQueue {
  std::vector<std::uint64_t> pieces;  ///< in the order in which they are begun
  std::function<std::vector<std::byte>(std::uint64_t number)> work;
  std::function<void(std::uint64_t number, std::span<const std::byte> result)> take;
};

/// Throws what a piece threw, RunError when stopped, TeamFailure when another rank failed. Ranks other than 0 return
/// when all pieces are done.
void run_queue(const WorkQueue& job, Team& team, const Executor& executor, const std::stop_token& stop = {});

/// Throws FatalError when a stop was asked for: what was left out because of it must not be kept.
void check_stop(const std::stop_token& stop);

}  // namespace evident
