// Runs a batch, or a shard of it: threads and ranks fetch data sets as they get ready, each result goes to the journal,
// and at the end the tables are written from there.
//
//   Plan plan{.list = items_of_files("study.toml", {"*.csv"}), .folder = "study.batch"};
//   Summary summary = run_batch(plan, {.threads = 4, .resume = true}, progress, stop);
//
// The journal stays in the folder. With `resume` only that is done which is not there, which failed, or whose files
// have changed since; so a batch that was stopped, by whatever means, ends with the bytes of one that was not.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "base/option.hpp"
#include "base/team.hpp"
#include "batch/items.hpp"
#include "batch/shard.hpp"
#include "batch/tables.hpp"
#include "evident/study/study.hpp"
#include "journal/journal.hpp"

namespace evident::batch {

struct Plan {
  ItemList list;
  std::filesystem::path folder;
  std::string title = {};  ///< name of the study or of the list, without folders
  study::Overrides overrides = {};
  std::vector<std::pair<std::string, std::string>> settings = {};  ///< what the overrides are, in words, by name
  Shard shard = {};
  bool reports = false, html = true;
  std::string command = {};                ///< how it was started, for whoever has to repeat it
  OptionSpelling spelling = plain_option;  ///< of options that the messages of failed data sets name

  /// What the results depend on, as far as it is known before the data is read.
  JournalIdentity identity() const;
  /// In the folder; shards have theirs in a folder of their own.
  std::filesystem::path journal() const;
};

struct RunOptions {
  unsigned threads = 0;  ///< 0: one per core
  bool resume = false, force = false;
  bool strict = false;         ///< the first data set that fails ends the run
  Team& team = team_of_one();  ///< ranks that share the data sets; rank 0 alone has the journal, and a summary
};

struct Progress {
  std::size_t done = 0, total = 0;  ///< data sets
  std::size_t resumed = 0;          ///< of these from the journal
  std::size_t changed = 0;          ///< that are done again because their files changed
  std::size_t failed = 0;
  double seconds = 0;  ///< of this run
};

/// Has a run of this plan been begun and left something to go on with?
bool is_begun(const Plan& plan);

/// Throws InputError before any work: the study is wrong, results are in the way, the journal is another batch's. A
/// shard leaves its journal only; its summary is that of its own data sets.
Summary run_batch(const Plan& plan, const RunOptions& options,
                  const std::function<void(const Progress&)>& progress = {}, const std::stop_token& stop = {});

/// The number of the chunk that keeps the command.
inline constexpr std::uint64_t kCommandChunk = ~std::uint64_t{0};
/// Folder of the journals of shards.
inline constexpr const char* kShardFolder = "shards";

}  // namespace evident::batch
