// The results folder of a comparison as it is on disk, checked: what is missing is empty, what is wrong is refused.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "report/number_table.hpp"

namespace evident::report {

using Json = nlohmann::ordered_json;

/// A JSON value together with the file that it comes from, so that complaints name both.
class Stored {
 public:
  Stored(const Json& value, std::string file) : value_(value), file_(std::move(file)) {}

  /// NaN when it is null or missing.
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

struct StoredModel {
  std::string name;
  Stored result;                          ///< its entry in result.json
  std::optional<Stored> study = {};       ///< its entry in study.json
  std::optional<NumberTable> draws = {};  ///< with a column "weight"
  std::optional<NumberTable> prior = {};  ///< the same
  std::optional<NumberTable> trace = {};  ///< with "alpha" and "mean_log_likelihood"
  std::optional<Stored> predictive = {};
};

struct ResultsFolder {
  Stored result;
  std::optional<Stored> study = {};
  std::vector<StoredModel> models = {};  ///< all of result.json; files were read of those that matter only
  std::optional<NumberTable> union_trace = {};
  std::optional<Stored> averaged = {};  ///< predictions

  /// Their places in `models`, in the order of the study; all of them when there are no more than `most`.
  std::vector<std::size_t> most_probable(std::size_t most) const;
};

/// Reads the files of the `most` most probable models. Throws InputError.
ResultsFolder read_results(const std::filesystem::path& folder, std::size_t most);

}  // namespace evident::report
