// What the ranks of a team tell each other when they meet: where they are, and what they may use there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace evident::cluster {

struct Member {
  std::string place;             ///< equal for processes that can see each other: machine, boot, process numbers
  std::string host;              ///< for messages
  std::int64_t process = 0;      ///< number, on its host
  unsigned asked = 0;            ///< threads, by the environment; 0: nothing said
  std::vector<bool> processors;  ///< that it may run on
};

/// This process.
Member this_member();
std::vector<std::byte> packed(const Member& member);
/// Throws RunError for bytes that are no member.
Member unpacked(std::span<const std::byte> bytes);

/// Threads for rank r: what the environment says (OMP_NUM_THREADS, SLURM_CPUS_PER_TASK), else its part of the
/// processors that it shares with other ranks; at least 1.
unsigned threads_for(std::size_t rank, const std::vector<Member>& members);

/// "rank 2 (process 4711 on node7)"
std::string words_for(std::size_t rank, const Member& member);
/// Whether a process of this very place is gone.
bool is_gone(std::int64_t process);

}  // namespace evident::cluster
