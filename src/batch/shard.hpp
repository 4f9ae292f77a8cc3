// One of several jobs that share a batch: shard i of n does the data sets i, i + n, i + 2 n, ...
//
//   Shard shard = parse_shard("3/10");
//   shard = parse_shard("auto");          // what the array job of Slurm, SGE or LSF says
//   shard = parse_shard("auto/10");       // the number of the task from there, how many there are from here
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace evident::batch {

struct Shard {
  std::uint64_t number = 1, count = 1;
  bool is_whole = true;  ///< no shard was asked for

  /// The items of a list of `items` that it does.
  std::vector<std::uint64_t> items(std::uint64_t items) const;
  std::uint64_t size(std::uint64_t items) const { return items < number ? 0 : (items - number) / count + 1; }
  std::string text() const;  ///< "3/10"
};

inline constexpr std::uint64_t kMaxShards = 1'000'000'000;

/// What an environment variable says; empty when it is not set.
using Environment = std::function<std::string(const std::string& name)>;
Environment process_environment();

/// Throws InputError.
Shard parse_shard(const std::string& text, const Environment& environment = process_environment());

}  // namespace evident::batch
