// Tables of numbers: comma- or tab-separated text with one line of column names.
//
//   const Table table = Table::read("data.csv");
//   std::vector<double> y = table.numbers("y");   // data.csv:17: column 'y': 'n/a' is not a number
//
// RFC 4180 quotes, LF or CRLF, a byte-order mark, blank lines and lines that start with '#' are understood. Only the
// columns that are asked for need to hold numbers; NaN and infinity are refused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace evident {

struct TableOptions {
  char delimiter = 0;  ///< 0: a tab for .tsv and .tab, otherwise the most frequent of , ; tab in the first line
  std::size_t max_rows = (std::size_t{1} << 31) - 1;
  std::uint64_t max_bytes = std::uint64_t{1} << 32U;
};

class Table {
 public:
  static Table read(const std::string& file, const TableOptions& options = {});
  /// The rows in the first part of a larger file; nothing of one that is not larger, and where no row is whole. A row
  /// that is wrong among them is wrong whatever follows, and gigabytes need not be read to tell.
  static std::optional<Table> read_first(const std::string& file, const TableOptions& options = {});
  static constexpr std::uint64_t kFirstPart = std::uint64_t{1} << 20U;
  /// The same of a text; `file` is for messages, and for its extension.
  static Table parse(std::string text, std::string file, const TableOptions& options = {});

  const std::string& file() const { return file_; }
  const std::vector<std::string>& names() const { return names_; }
  std::size_t rows() const { return lines_.size(); }
  bool has(std::string_view column) const;
  /// Throws InputError, with the nearest name, when there is no such column.
  std::size_t index(std::string_view column) const;
  /// A cell that is one of `missing` becomes NaN.
  std::vector<double> numbers(std::string_view column, std::span<const std::string_view> missing = {}) const;
  std::string_view cell(std::size_t row, std::size_t column) const;
  /// A finite number, or nothing when the cell holds none.
  std::optional<double> find_number(std::size_t row, std::size_t column) const;
  /// A table of these rows alone, which keep their lines.
  Table some_rows(std::span<const std::size_t> rows) const;
  /// The line of the file in which a row begins.
  std::size_t line(std::size_t row) const { return lines_[row]; }

 private:
  struct Cell {
    std::uint64_t begin;
    std::uint32_t size;
  };
  class Reader;

  std::string file_, text_;
  std::vector<std::string> names_;
  std::vector<Cell> cells_;           ///< row after row
  std::vector<std::uint64_t> lines_;  ///< where each row begins in the file, counted from 1
};

}  // namespace evident
