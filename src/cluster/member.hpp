// What the ranks of a team tell each other when they meet: where they are, and what they may use there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace evident::cluster {

struct Member {
  std::string build;             ///< "evident 0.1.0 (commit 1e68d1c9b3a2)"; first in bytes, in all versions to come
  std::string place;             ///< equal for processes that can see each other: machine, boot, process numbers
  std::string host;              ///< for messages
  std::int64_t process = 0;      ///< number, on its host
  unsigned asked = 0;            ///< threads, by the environment; 0: nothing said
  std::vector<bool> processors;  ///< that it may run on
};

/// This process; `commit` of the sources it is built from, where it is known.
Member this_member(std::string_view commit = {});
std::vector<std::byte> packed(const Member& member);
/// Throws RunError for bytes that are no member.
Member unpacked(std::span<const std::byte> bytes);
/// What the ranks sent of themselves, in their order. Throws InputError, the same on every rank, when one
/// of them runs another build than rank 0: versions may pack the rest in other ways.
std::vector<Member> unpacked_all(const std::vector<std::vector<std::byte>>& bytes);

/// Threads for rank r: what the environment says (OMP_NUM_THREADS, SLURM_CPUS_PER_TASK), else its part of the
/// processors that it shares with other ranks; at least 1.
unsigned threads_for(std::size_t rank, const std::vector<Member>& members);

/// "rank 2 (process 4711 on node7)"
std::string words_for(std::size_t rank, const Member& member);
/// Whether a process of this very place is gone.
bool is_gone(std::int64_t process);

}  // namespace evident::cluster
