// A study: which models are compared on which data, and how.
//
//   Study study = read_study("study.toml");
//   Comparison c = run(study);
//
// Everything that can be wrong with a study is found here, before any work starts, and is an
// InputError("study.toml:7: ...").
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "evident/compare/compare.hpp"

namespace evident {
class Table;
}  // namespace evident

namespace evident::study {

/// May a study run code that is not evident's own, or read files outside of its folder, or large ones? Only when the
/// caller says so: a study file can come from anywhere.
struct CodeAccess {
  bool allowed = false;
  bool outside = false;                                    ///< data files may lie outside of the study's folder
  std::uint64_t largest_file = std::uint64_t{1} << 32U;    ///< bytes; larger data files are refused
  std::stop_token stop = {};                               ///< ends what waits for a program
  std::function<void(std::string_view line)> notice = {};  ///< what a program writes to standard error, and restarts
};

/// Data in place of the file that [data] names: one study for many data sets. Of several files of [data] the first is
/// replaced, and the others stay.
struct DataChoice {
  std::string file;                         ///< as seen from the present folder
  std::shared_ptr<const Table> table = {};  ///< what is used of it; null: it is read
  std::string group = {};                   ///< the column that chose the rows; a model uses it only by its name
  std::vector<std::size_t> rows = {};       ///< that were chosen; those of files beside it are the same
  std::size_t all_rows = 0;                 ///< of the whole file
};

/// A value of an option of [sampler].
using SettingValue = std::variant<bool, std::int64_t, std::uint64_t, double, std::string, std::vector<double>>;
struct Setting {
  std::string key;
  SettingValue value;
};
using Settings = std::vector<Setting>;

/// What a command line may set. It has the last word over the file, over [model.sampler] too.
struct Overrides {
  Settings settings = {};                ///< of [sampler], such as {"particles", 2000}
  std::vector<std::string> models = {};  ///< names of the models to keep; empty: all
  CodeAccess code = {};                  ///< may models run code of their own?
  std::optional<DataChoice> data = {};   ///< in place of [data] file
};

struct StudyModel {
  std::string kind;
  Candidate candidate;
};

struct Study {
  std::string file;
  std::vector<StudyModel> models;         ///< of the [[model]] tables
  std::optional<FamilyCandidate> family;  ///< for the methods that run on the union of the models
  std::string family_kind;                ///< kind of the models of the family
  CompareOptions options;
  std::vector<std::string> data_files;  ///< that were read

  std::vector<Candidate> candidates() const;
};

/// Reads a study and its data and builds its models.
Study read_study(const std::string& file, const Overrides& overrides = {});
/// The same of a text. `file` is for messages, and its folder is where the files of the data are looked for.
Study parse_study(std::string_view text, const std::string& file, const Overrides& overrides = {});

/// Runs the study by its method.
Comparison run(const Study& study, CompareObserver* observer = nullptr, std::stop_token stop = {});

/// The kind of each model of a result.
std::vector<std::string> kinds_of(const Study& study, const Comparison& result);

}  // namespace evident::study
