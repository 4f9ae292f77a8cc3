// Puts the shards of a batch together: the files are those of a batch that was never divided, byte for byte.
//
//   Summary summary = gather({.from = {"out"}, .out = "out"});
#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "batch/tables.hpp"

namespace evident::batch {

struct GatherRequest {
  std::vector<std::filesystem::path> from;  ///< output folders of shards, or their journals
  std::filesystem::path out;
  bool force = false;                 ///< replace results of another origin
  std::size_t most_open_files = 400;  ///< what further shards hold is kept in memory
};

/// Throws InputError when shards are missing, unfinished or of different batches; the message names them, and the
/// command that makes them.
Summary gather(const GatherRequest& request);

}  // namespace evident::batch
