// The results of a batch as files, row by row, however many there are; and a summary for people.
//
//   const report::Staging work(folder);             // where they are written
//   Tables tables(work.path(), {.version = "1.0", .study = "study.toml"});
//   for (...) tables.add(result);                   // in the order of the list
//   Summary summary = tables.publish(folder);       // results.csv, results.json and parameters.csv appear
//
// The files are functions of study, data and seed, apart from what is called "seconds".
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "batch/item_result.hpp"
#include "report/manifest.hpp"
#include "report/text.hpp"

namespace evident::batch {

/// What stands above the results.
struct Title {
  std::string version, study;
};

struct ModelTotal {
  std::string name;
  std::size_t preferred = 0;  ///< data sets in which it is the most probable
  std::size_t data_sets = 0;  ///< that it was compared on
  double log_evidence = 0;    ///< sum over them
  double variance = 0;        ///< of that sum
};

/// What is told of a batch at its end.
struct Summary {
  std::size_t data_sets = 0, failed = 0;
  std::size_t unjudged = 0;                                   ///< there was no check of the best model's evidence
  std::size_t doubtful = 0;                                   ///< the best model's evidence is not to be trusted
  std::vector<ModelTotal> models;                             ///< in the order in which they first come
  std::vector<ItemResult> head;                               ///< the first results, without parameters
  std::vector<std::pair<std::string, std::string>> failures;  ///< name and reason of the first that failed
  std::filesystem::path results;                              ///< the table
  std::size_t pieces_done_again = 0;                          ///< of a journal that was damaged

  void add(const ItemResult& result);
};

class Tables {
 public:
  /// Throws InputError when no file can be made there.
  Tables(const std::filesystem::path& folder, const Title& title);
  ~Tables();
  Tables(const Tables&) = delete;
  Tables& operator=(const Tables&) = delete;

  void add(const ItemResult& result);
  /// All files are whole, and get their places in `folder` (report/output_files.hpp). Throws RunError when the disk
  /// does not take them, or when a file of somebody else has come in the way.
  Summary publish(const std::filesystem::path& folder, const report::RunFacts& facts = {});

  /// The names of the files.
  static std::vector<std::string> names();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Which model is preferred how often, the first results, and what failed.
std::string to_text(const Summary& summary, const report::TextStyle& style);
/// "3 of 20 data sets failed; results.csv says why (s07: ...)"; empty when none did.
std::string failure_text(const Summary& summary);

}  // namespace evident::batch
