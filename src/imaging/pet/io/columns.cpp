#include "imaging/pet/io/columns.hpp"

#include <algorithm>
#include <array>

#include "imaging/pet/io/units.hpp"
#include "imaging/pet/io/words.hpp"
#include "tables/file_text.hpp"

namespace evident::imaging {
namespace {

constexpr std::size_t kMaxRows = 5'000'000;
constexpr std::array<std::string_view, 9> kMissing = {"n/a", "N/A", "", "NaN", "nan", "NA", "NAN", ".", "-"};

std::string plain(std::string_view name) {
  std::string out = lower_case(name);
  std::ranges::replace(out, '-', '_');
  std::ranges::replace(out, ' ', '_');
  return out;
}

// Lines without blanks at their ends, but with at least `tabs` tabs where the file has them, as empty cells may come
// last; with `collapse`, runs of blanks become one tab.
std::string tidied(std::string_view text, bool collapse, std::ptrdiff_t tabs) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    std::ptrdiff_t here = std::ranges::count(line, '\t');
    while (!line.empty() && (line.back() == ' ' || line.back() == '\r' || (line.back() == '\t' && here > tabs))) {
      here -= line.back() == '\t';
      line.remove_suffix(1);
    }
    if (!collapse) {
      out += line;
    } else {
      for (std::string_view rest = trimmed(line); !rest.empty();) {
        const std::size_t stop = std::min(rest.find_first_of(" \t"), rest.size());
        out += rest.substr(0, stop);
        rest = trimmed(rest.substr(stop));
        if (!rest.empty()) out += '\t';
      }
    }
    out += '\n';
  }
  return out;
}

}  // namespace

Table parse_table(std::string text, const std::string& file) {
  TableOptions options{.delimiter = 0, .max_rows = kMaxRows, .max_bytes = kMaxTableBytes};
  if (text.find('\0') != std::string::npos) return Table::parse(std::move(text), file, options);  // refuses it
  std::string_view rest = text;
  if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
  std::string_view header;
  while (!rest.empty() && (header.empty() || header.front() == '#')) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    header = trimmed(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  const bool tabs = header.find('\t') != std::string_view::npos;
  const bool separated = tabs || header.find_first_of(",;") != std::string_view::npos;
  const bool blanks = !separated && header.find(' ') != std::string_view::npos;
  if (tabs || blanks) options.delimiter = '\t';
  return Table::parse(tidied(text, blanks, std::ranges::count(header, '\t')), file, options);
}

Table read_table(const std::string& file) { return parse_table(file_text(file, kMaxTableBytes), file); }

std::vector<Column> columns_of(const Table& table) {
  std::vector<Column> columns;
  for (const std::string& heading : table.names()) {
    auto [name, unit] = split_unit(heading);
    columns.push_back({heading, std::move(name), std::move(unit)});
  }
  return columns;
}

std::optional<Column> find_column(const std::vector<Column>& columns, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    for (const Column& column : columns) {
      if (plain(column.name) == name) return column;
    }
  }
  return {};
}

std::vector<double> values_of(const Table& table, const Column& column) {
  return table.numbers(column.heading, kMissing);
}

std::vector<double> all_values_of(const Table& table, const Column& column) { return table.numbers(column.heading); }

std::string listed(const std::vector<Column>& columns) {
  std::string out;
  for (const Column& column : columns) {
    if (out.size() > 300) return out + ", ...";
    out += (out.empty() ? "" : ", ") + shortened(column.heading);
  }
  return out;
}

}  // namespace evident::imaging
