#include "study/data_choice.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <unordered_map>

#include "study/data_files.hpp"
#include "tables/placed_error.hpp"

namespace evident::study {

GroupedTable::GroupedTable(Table table, std::string_view column) : table_(std::move(table)), column_(column) {
  const std::size_t j = table_.index(column);
  std::unordered_map<std::string, std::size_t> known;
  for (std::size_t r = 0; r < table_.rows(); ++r) {
    std::string name(table_.cell(r, j));
    if (name.empty())
      throw PlacedError(fmt::format("{}:{}: column '{}' is empty: to which group does the row belong?", table_.file(),
                                    table_.line(r), column));
    const auto [at, is_new] = known.emplace(std::move(name), names_.size());
    if (is_new) {
      names_.push_back(at->first);
      rows_.emplace_back();
    }
    rows_[at->second].push_back(r);
  }
}

DataChoice GroupedTable::choice(std::size_t i) const {
  return {.file = table_.file(),
          .table = std::make_shared<const Table>(table_.some_rows(rows_[i])),
          .group = column_,
          .rows = rows_[i],
          .all_rows = table_.rows()};
}

Table read_data_of(const std::string& study, const CodeAccess& code) {
  const Section root = read_toml(study);
  const Section data = root.section("data", "[data]").value_or(Section(study, "[data]", 1, {}));
  return DataFiles(std::filesystem::path(study).parent_path(), data, code).first();
}

}  // namespace evident::study
