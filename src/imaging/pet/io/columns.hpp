// Tables of PET programs: Table with a few liberties, and columns found by any of their usual names.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tables/table.hpp"

namespace evident::imaging {

inline constexpr std::size_t kMaxTableBytes = std::size_t{256} << 20;  ///< no table is larger

/// Reads a table. Blanks at the ends of lines are dropped, and where the line of names has no tab, comma or semicolon,
/// runs of blanks separate the columns.
Table read_table(const std::string& file);
Table parse_table(std::string text, const std::string& file);

struct Column {
  std::string heading;     ///< as in the file
  std::string name, unit;  ///< heading without its unit; the unit, or nothing
};

/// All columns, in order.
std::vector<Column> columns_of(const Table& table);

/// The first column whose name is one of `names`, written in lower case; '-', '_' and ' ' are the same.
std::optional<Column> find_column(const std::vector<Column>& columns, std::initializer_list<std::string_view> names);

/// Values of a column; n/a and empty cells (also NaN, NA and '.') are NaN.
std::vector<double> values_of(const Table& table, const Column& column);
/// The same, but all cells must hold a number.
std::vector<double> all_values_of(const Table& table, const Column& column);

/// Comma-separated headings, for messages.
std::string listed(const std::vector<Column>& columns);

}  // namespace evident::imaging
