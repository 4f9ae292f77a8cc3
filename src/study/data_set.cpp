#include "study/data_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "evident/base/log_math.hpp"
#include "tables/placed_error.hpp"

namespace evident::study {
namespace {

bool is_missing(std::string_view cell) {
  constexpr std::array<std::string_view, 9> words = {"", "NA", "N/A", "n/a", "NaN", "nan", "null", "NULL", "."};
  return std::ranges::find(words, cell) != words.end();
}

/// Tables that lie side by side, and which of their rows are kept.
struct Group {
  std::vector<const Table*> tables{};
  std::vector<bool> keep{};
};

void find_missing(Group& group, const DataSetOptions& options) {
  for (const Table* table : group.tables) {
    for (std::size_t j = 0; j < table->names().size(); ++j) {
      const std::string& name = table->names()[j];
      if (!options.used.contains(name)) continue;
      for (std::size_t r = 0; r < table->rows(); ++r) {
        if (!is_missing(table->cell(r, j))) continue;
        if (!options.drop_missing)
          throw PlacedError(
              fmt::format("{}:{}: column '{}': the value is missing; drop_missing = true in [data] leaves such rows "
                          "out, for all models alike",
                          table->file(), table->line(r), name));
        group.keep[r] = false;
      }
    }
  }
  if (std::ranges::find(group.keep, true) == group.keep.end())
    throw PlacedError(
        fmt::format("{}: every row has a missing value in a column that is used", group.tables[0]->file()));
}

formula::Column make_column(const Table& table, std::size_t j, const std::vector<bool>& keep) {
  formula::Column out{.name = table.names()[j]};
  for (std::size_t r = 0; r < table.rows(); ++r) {
    if (!keep[r]) continue;
    const std::optional<double> x = is_missing(table.cell(r, j)) ? kNaN : table.find_number(r, j);
    if (!x) {
      out.first_text = fmt::format("{}:{}: '{}'", table.file(), table.line(r), table.cell(r, j).substr(0, 40));
      break;
    }
    out.numbers.push_back(*x);
  }
  if (out.first_text.empty()) return out;
  out.numbers.clear();
  for (std::size_t r = 0; r < table.rows(); ++r)
    if (keep[r]) out.texts.emplace_back(table.cell(r, j));
  return out;
}

}  // namespace

formula::DataSet make_data_set(const std::vector<const Table*>& tables, const DataSetOptions& options) {
  std::vector<Group> groups;
  std::map<std::string, std::string> owners;
  for (const Table* table : tables) {
    for (const std::string& name : table->names()) {
      const auto [at, is_new] = owners.emplace(name, table->file());
      if (!is_new)
        throw PlacedError(
            fmt::format("{}: column '{}' is in {}, too; names must differ", table->file(), name, at->second));
    }
    auto group = std::ranges::find_if(groups, [&](const Group& g) { return g.tables[0]->rows() == table->rows(); });
    if (group == groups.end())
      group = groups.insert(groups.end(), Group{.keep = std::vector<bool>(table->rows(), true)});
    group->tables.push_back(table);
  }
  formula::DataSet out;
  for (Group& group : groups) {
    find_missing(group, options);
    out.table_rows.push_back(static_cast<std::size_t>(std::ranges::count(group.keep, true)));
    for (const Table* table : group.tables) {
      for (std::size_t j = 0; j < table->names().size(); ++j) {
        out.columns.push_back(make_column(*table, j, group.keep));
        out.columns.back().table = out.table_rows.size() - 1;
      }
    }
  }
  return out;
}

std::vector<formula::Constant> read_constants(const Section& data) {
  std::vector<formula::Constant> out;
  const auto table = data.section("constants", "[data.constants]");
  if (!table) return out;
  for (const Entry& entry : table->entries()) {
    const bool is_list = std::holds_alternative<Value::Array>(entry.value.data);
    out.push_back({entry.key,
                   is_list ? table->numbers(entry.key).value() : std::vector{table->number(entry.key).value()},
                   is_list});
  }
  return out;
}

}  // namespace evident::study
