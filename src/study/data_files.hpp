// The tables that a study names, found relative to the study file and read once. They lie below its folder, wherever
// links lead, unless more is allowed.
//
//   DataFiles files(folder, data_section);
//   files.main().numbers("y");                  // [data] file
//   files.table(model_section, "input");        // a field that names another file
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "evident/study/study.hpp"
#include "study/data_choice.hpp"
#include "study/section.hpp"
#include "tables/table.hpp"

namespace evident::formula {
struct DataSet;
}

namespace evident::study {

class DataFiles {
 public:
  /// `data` is the [data] section; nothing is read yet. Throws InputError for unknown keys.
  DataFiles(std::filesystem::path folder, Section data, CodeAccess code = {}, std::optional<DataChoice> choice = {});

  /// The same files, of which only the first rows are read; nothing where that saves nothing.
  std::optional<DataFiles> first_rows() const;
  bool has_first_rows_only() const { return first_rows_; }
  /// Does a message name a line of a table that was read: "data.csv:17: ..."?
  bool is_about_a_line(const std::string& message) const;

  /// The table of [data] file; throws InputError when the study names none.
  const Table& main();
  /// Its columns, without that of the groups when one group was chosen.
  std::vector<std::string> columns();
  /// The same, or the first of several.
  const Table& first();
  /// The table that the text under `key` names; throws InputError that points at the key.
  const Table& table(const Section& section, std::string_view key);
  /// Columns that the study's formulas name: a value that is missing in one of them matters to every model.
  void use(const std::vector<std::string>& names) { used_.insert(names.begin(), names.end()); }
  /// The columns of all files of [data], and its constants: the same for all formulas of the study.
  std::shared_ptr<const formula::DataSet> data_set();
  /// Throws InputError when [data] has keys that only formulas understand.
  void refuse_formula_keys() const;
  /// Does [data] name a file?
  bool has_main() const { return choice_ || data_.has("file"); }
  /// A file that others will read, and that the results depend on.
  void depends_on(const std::filesystem::path& file) { others_.insert(file); }
  /// These, and the files that were read, apart from what was chosen as a table.
  std::vector<std::string> read_files() const;
  /// The path that the text under `key` names, relative to the study; throws InputError when it is empty.
  std::filesystem::path path(const Section& section, std::string_view key) const;
  const std::filesystem::path& folder() const { return folder_; }  ///< of the study; empty: the present one
  const CodeAccess& code() const { return code_; }
  /// [data] column, when it is given.
  std::optional<std::string> column() const { return data_.text("column"); }

 private:
  std::vector<const Table*> all_tables();
  const Table& chosen();
  const Table& read(const std::filesystem::path& path);
  const Table& named(const Section& section, std::string_view key, const std::string& name);
  std::filesystem::path path(const Section& section, std::string_view key, const std::string& name) const;
  void require_inside(const Section& section, std::string_view key, const std::filesystem::path& path) const;

  std::filesystem::path folder_;
  Section data_;
  CodeAccess code_;
  std::optional<DataChoice> choice_;
  std::vector<Table> parts_;  ///< of files that lie beside the chosen rows
  TableOptions options_;
  bool first_rows_ = false;
  std::map<std::filesystem::path, std::shared_ptr<const Table>> tables_;
  std::set<std::filesystem::path> others_;
  std::set<std::string> used_;
  std::shared_ptr<const formula::DataSet> data_set_;
};

/// The column that holds the observations: `key` of the model, else [data] column, else the only column, else "y".
std::string observed_column(const Section& model, std::string_view key, DataFiles& files);

}  // namespace evident::study
