// One data set of a batch: its study is read with its data, run with a seed of its own, and told in an ItemResult.
//
//   ItemResult result = run_item(list, i, {.overrides = overrides}, stop);       // bad data is a result that says so
#pragma once

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>

#include "base/option.hpp"
#include "batch/item_result.hpp"
#include "batch/items.hpp"
#include "evident/study/study.hpp"

namespace evident::batch {

struct ItemOptions {
  study::Overrides overrides = {};
  unsigned threads = 1;
  std::filesystem::path reports = {};      ///< folder for the folders of all results; empty: none
  bool html = true;                        ///< report.html in them
  OptionSpelling spelling = plain_option;  ///< of options that the message names
};

/// The seed of a data set, from that of its study and its name alone.
std::uint64_t item_seed(std::uint64_t study_seed, const std::string& name);

/// The folder of an item among the reports: its number in the list, and what a file system takes of its name.
std::string report_folder_name(const ItemList& list, std::size_t index);

/// A sum over the bytes of a file; 0 when it cannot be read.
std::uint64_t file_sum(const std::string& file);

/// Throws RunError when it was stopped, or when a report cannot be written; nothing else.
ItemResult run_item(const ItemList& list, std::size_t index, const ItemOptions& options, const std::stop_token& stop);

}  // namespace evident::batch
