// A study: which models are compared on which data, and how.
//
//   Study study = read_study("study.toml");
//   Comparison c = run(study);
//
// Everything that can be wrong with a study is found here, before any work starts, and is told as
// InputError("study.toml:7: ...").
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "evident/compare/compare.hpp"
#include "evident/study/code_access.hpp"
#include "evident/study/data_choice.hpp"

namespace evident::study {

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
