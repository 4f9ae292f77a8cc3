// Data in place of the file that [data] names: one study for many data sets.
//
//   read_study("study.toml", {.data = DataChoice{.file = "subjects/07.csv"}});
//   GroupedTable groups(Table::read("data.csv"), "subject");          // or the rows of one group of a file
//   read_study("study.toml", {.data = groups.choice(0)});
//
// Of several files of [data] the first is replaced, and the others stay.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "evident/study/study.hpp"
#include "tables/table.hpp"

namespace evident::study {

/// A table whose rows belong to groups, by what stands in one column.
class GroupedTable {
 public:
  /// Throws InputError: no such column, or a row without a group.
  GroupedTable(Table table, std::string_view column);

  std::size_t size() const { return names_.size(); }
  /// In the order in which they first come.
  const std::vector<std::string>& names() const { return names_; }
  /// The rows of group `i`.
  DataChoice choice(std::size_t i) const;

 private:
  Table table_;
  std::string column_;
  std::vector<std::string> names_;
  std::vector<std::vector<std::size_t>> rows_;
};

/// The table of the (first) file of [data] in a study. Throws InputError.
Table read_data_of(const std::string& study, const CodeAccess& code = {});

}  // namespace evident::study
