// The tables that a study names, found relative to the study file and read once.
//
//   DataFiles files(folder, data_section);
//   files.main().numbers("y");                  // [data] file
//   files.table(model_section, "input");        // a field that names another file
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "evident/study/section.hpp"
#include "evident/study/table.hpp"

namespace evident::study {

class DataFiles {
 public:
  /// `data` is the [data] section; nothing is read yet. Throws InputError for unknown keys.
  DataFiles(std::filesystem::path folder, Section data);

  /// The table of [data] file; throws InputError when the study names none.
  const Table& main();
  /// The table that the text under `key` names; throws InputError that points at the key.
  const Table& table(const Section& section, std::string_view key);
  /// [data] column, when it is given.
  std::optional<std::string> column() const { return data_.text("column"); }

 private:
  std::filesystem::path folder_;
  Section data_;
  TableOptions options_;
  std::map<std::filesystem::path, std::shared_ptr<const Table>> tables_;
};

/// The column that holds the observations: `key` of the model, else [data] column, else the only column, else "y".
std::string observed_column(const Section& model, std::string_view key, DataFiles& files);

}  // namespace evident::study
