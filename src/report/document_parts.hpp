// What a document holds: JSON as its files have it, and tables. What is missing is empty, what is wrong is refused when
// it is read.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "evident/report/document.hpp"
#include "report/predictive.hpp"

namespace evident::report {

using Json = nlohmann::ordered_json;

/// A JSON value together with the file that it comes from, so that complaints name both.
class Stored {
 public:
  Stored(Json value, std::string file) : value_(std::move(value)), file_(std::move(file)) {}

  /// NaN when it is null, missing, or not finite and so null in the file.
  double number(const char* key) const;
  /// Empty when it is null or missing.
  std::string text(const char* key) const;
  /// An array, empty when it is null or missing.
  std::vector<Stored> list(const char* key) const;
  std::vector<double> numbers(const char* key) const;
  /// Nothing when it is null or missing.
  std::optional<Stored> object(const char* key) const;
  std::vector<double> as_numbers() const;  ///< of an array itself; null is NaN
  std::string as_text() const;
  const Json& json() const { return value_; }
  [[noreturn]] void refuse(const char* key, const char* wanted) const;

 private:
  const Json* find(const char* key) const;
  Json value_;
  std::string file_;
};

struct ModelParts {
  std::string name;
  Stored result;                          ///< its entry in result.json
  std::optional<Stored> study = {};       ///< its entry in study.json
  std::optional<Draws> draws = {};        ///< of the posterior
  std::optional<Draws> prior = {};        ///< without log densities
  std::optional<NumberTable> trace = {};  ///< with "alpha" and "mean_log_likelihood"
  std::optional<Stored> predictive = {};
};

struct DocumentParts {
  Stored result;
  std::optional<Stored> study = {};
  std::vector<ModelParts> models = {};  ///< all of result.json; of a folder, files were read of those that matter only
  std::optional<NumberTable> union_trace = {};
  std::optional<Stored> averaged = {};  ///< predictions

  /// Their places in `models`, in the order of the study; all of them when there are no more than `most`.
  std::vector<std::size_t> most_probable(std::size_t most) const;
  /// How many models, from the first, have files with draws and a trace: of a family not all.
  std::size_t with_files() const;
  /// The names of their files without the ending, and at the end that of the files of all models.
  std::vector<std::string> file_names() const;
};

/// result.json.
Json comparison_json(const Comparison& comparison, const RunInfo& info);
/// NAME-predictive.json; what is not finite becomes null, and numbers have six digits.
Json predictive_json(const Predictive& p);
/// The text of result.json or study.json. A name that is not valid UTF-8 must not stop it from being written.
std::string indented_text(const Json& json);
/// The text of all other documents, in one line.
std::string compact_text(const Json& json);

/// Settings as rows of a table: name and value.
std::vector<std::pair<std::string, std::string>> settings_of(const CompareOptions& options,
                                                             std::span<const Candidate> candidates);

}  // namespace evident::report
