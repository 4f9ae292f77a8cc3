#include "tables/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>
#include <span>

#include "base/suggest.hpp"
#include "tables/file_text.hpp"
#include "tables/input_file.hpp"
#include "tables/placed_error.hpp"

namespace evident {
namespace {

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t')) s.remove_suffix(1);
  return s;
}

std::string shortened(std::string_view s) {
  return s.size() <= 40 ? std::string(s) : std::string(s.substr(0, 37)) + "...";
}

// Why a cell is no number, or nothing.
std::optional<std::string> number_problem(std::string_view s, double& out) {
  if (s.empty()) return "the cell is empty";
  const char* begin = s.data() + (s.size() > 1 && s[0] == '+' && s[1] != '-' ? 1 : 0);
  const char* end = s.data() + s.size();
  const auto [stop, status] = std::from_chars(begin, end, out);
  if (status == std::errc::result_out_of_range)
    return fmt::format("'{}' is outside the range of numbers", shortened(s));
  if (status != std::errc{} || stop != end) {
    const bool decimal_comma = s.find(',') != std::string_view::npos;
    return fmt::format("'{}' is not a number{}", shortened(s), decimal_comma ? "; write a decimal point" : "");
  }
  if (!std::isfinite(out)) return fmt::format("'{}' is not a finite number; remove the row", shortened(s));
  return {};
}

}  // namespace

/// Walks over the text once. Quoted cells are unescaped in place: they only ever get shorter.
class Table::Reader {
 public:
  /// `cut`: there is more text, and a quote that is open at its end is closed there.
  Reader(Table& table, const TableOptions& options, bool cut = false)
      : t_(table), text_(table.text_), options_(options), cut_(cut) {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
    if (const auto nul = text_.find('\0'); nul != std::string::npos) {
      throw PlacedError(fmt::format("{}: is not a text file (byte {} is zero)", t_.file_, nul + 1));
    }
  }

  void run() {
    read_header();
    while (next_record()) {
      if (cells_.size() != t_.names_.size()) {
        fail(record_line_,
             fmt::format("{} fields, but the line of column names has {}", cells_.size(), t_.names_.size()));
      }
      if (t_.lines_.size() == options_.max_rows) {
        throw PlacedError(
            fmt::format("{}: more than {} rows, which is more than can be used", t_.file_, options_.max_rows));
      }
      t_.lines_.push_back(record_line_);
      t_.cells_.insert(t_.cells_.end(), cells_.begin(), cells_.end());
    }
    if (t_.lines_.empty() && !cut_) throw PlacedError(fmt::format("{}: has column names but no data", t_.file_));
  }

 private:
  [[noreturn]] void fail(std::size_t line, const std::string& what) const {
    throw PlacedError(fmt::format("{}:{}: {}", t_.file_, line, what));
  }

  std::string_view view(const Cell& c) const { return std::string_view(text_).substr(c.begin, c.size); }

  void read_header() {
    if (!skip_to_record()) throw PlacedError(fmt::format("{}: is empty", t_.file_));
    delimiter_ = options_.delimiter ? options_.delimiter : sniff();
    next_record();
    bool all_numbers = true;
    std::set<std::string, std::less<>> seen;
    for (const Cell& c : cells_) {
      std::string name(view(c));
      double x = 0;
      all_numbers = all_numbers && !number_problem(name, x);
      if (!all_numbers && name.empty()) fail(record_line_, fmt::format("column {} has no name", t_.names_.size() + 1));
      if (!all_numbers && !seen.insert(name).second)
        fail(record_line_, fmt::format("two columns are named '{}'", shortened(name)));
      t_.names_.push_back(std::move(name));
    }
    if (all_numbers) fail(record_line_, "the first line must hold column names, but it holds numbers");
  }

  char sniff() const {
    for (const char* ending : {".tsv", ".tab", ".TSV"}) {
      if (t_.file_.ends_with(ending)) return '\t';
    }
    const std::string_view line = std::string_view(text_).substr(at_, text_.find_first_of("\r\n", at_) - at_);
    constexpr std::array<char, 3> candidates = {',', ';', '\t'};
    return *std::ranges::max_element(candidates, {}, [&](char c) { return std::ranges::count(line, c); });
  }

  // Passes blank lines and comments; false at the end of the text.
  bool skip_to_record() {
    while (at_ < text_.size()) {
      const std::size_t end = std::min(text_.find('\n', at_), text_.size());
      const std::string_view line = std::string_view(text_).substr(at_, end - at_);
      const bool blank = line.find_first_not_of(" \r") == std::string_view::npos;
      if (!blank && line.front() != '#') return true;
      at_ = end + (end < text_.size());
      ++line_;
    }
    return false;
  }

  bool next_record() {
    cells_.clear();
    if (!skip_to_record()) return false;
    record_line_ = line_;
    while (read_cell()) {
    }
    return !cut_in_quotes_;
  }

  // Reads one cell and what ends it; true when another cell follows in this record.
  bool read_cell() {
    while (delimiter_ != ' ' && at_ < text_.size() && text_[at_] == ' ') ++at_;
    if (at_ < text_.size() && text_[at_] == '"') {
      read_quoted();
    } else {
      const char stops[] = {delimiter_, '\n', 0};
      const std::size_t end = std::min(text_.find_first_of(stops, at_), text_.size());
      std::string_view s = std::string_view(text_).substr(at_, end - at_);
      if (s.ends_with('\r')) s.remove_suffix(1);
      s = trimmed(s);
      push(s.empty() ? at_ : static_cast<std::size_t>(s.data() - text_.data()), s.size());
      at_ = end;
    }
    if (at_ < text_.size() && text_[at_] == '\r') ++at_;
    const bool more = at_ < text_.size() && text_[at_] == delimiter_;
    if (!more) ++line_;
    if (at_ < text_.size()) ++at_;
    return more;
  }

  void read_quoted() {
    const std::size_t opened_on = line_;
    const std::size_t begin = ++at_;
    std::size_t put = begin;
    for (;;) {
      if (at_ >= text_.size() && cut_) {
        cut_in_quotes_ = true;
        break;
      }
      if (at_ >= text_.size()) fail(opened_on, "a quote (\") is opened and never closed");
      const char c = text_[at_++];
      if (c == '\n') ++line_;
      if (c == '"') {
        if (at_ >= text_.size() || text_[at_] != '"') break;
        ++at_;
      }
      text_[put++] = c;
    }
    push(begin, put - begin);
    while (at_ < text_.size() && text_[at_] == ' ' && delimiter_ != ' ') ++at_;
    const bool ended = at_ >= text_.size() || text_[at_] == delimiter_ || text_[at_] == '\n' || text_[at_] == '\r';
    if (!ended) fail(line_, "text after a closing quote; write a quote within a quoted cell twice (\"\")");
  }

  void push(std::size_t begin, std::size_t size) {
    if (size > std::numeric_limits<std::uint32_t>::max()) fail(line_, "a cell is longer than can be read");
    cells_.push_back({begin, static_cast<std::uint32_t>(size)});
  }

  Table& t_;
  std::string& text_;
  const TableOptions& options_;
  bool cut_ = false, cut_in_quotes_ = false;
  char delimiter_ = ',';
  std::size_t at_ = 0, line_ = 1, record_line_ = 1;
  std::vector<Cell> cells_;
};

Table Table::parse(std::string text, std::string file, const TableOptions& options) {
  Table table;
  table.file_ = std::move(file);
  table.text_ = std::move(text);
  Reader(table, options).run();
  return table;
}

Table Table::read(const std::string& file, const TableOptions& options) {
  return parse(file_text(file, options.max_bytes), file, options);
}

std::optional<Table> Table::read_first(const std::string& file, const TableOptions& options) {
  InputFile in(file, options.max_bytes);
  if (in.size() <= kFirstPart) return std::nullopt;
  Table table;
  table.file_ = file;
  table.text_.resize(kFirstPart);
  table.text_.resize(in.read(std::as_writable_bytes(std::span(table.text_))));
  table.text_.resize(table.text_.rfind('\n') + 1);  // 0 where there is none
  if (table.text_.empty()) return std::nullopt;
  Reader(table, options, true).run();
  if (table.lines_.empty()) return std::nullopt;
  return table;
}

bool Table::has(std::string_view column) const { return std::ranges::find(names_, column) != names_.end(); }

std::size_t Table::index(std::string_view column) const {
  const auto it = std::ranges::find(names_, column);
  if (it != names_.end()) return static_cast<std::size_t>(it - names_.begin());
  const std::vector<std::string_view> known(names_.begin(), names_.end());
  const std::string hint = did_you_mean(column, known);
  throw PlacedError(fmt::format("{}: has no column '{}'{}", file_, column,
                                hint.empty() ? fmt::format("; it has {}", fmt::join(known, ", ")) : hint));
}

Table Table::some_rows(std::span<const std::size_t> rows) const {
  Table out;
  out.file_ = file_;
  out.names_ = names_;
  for (const std::size_t r : rows) {
    out.lines_.push_back(lines_.at(r));
    for (std::size_t j = 0; j < names_.size(); ++j) {
      const std::string_view text = cell(r, j);
      out.cells_.push_back({out.text_.size(), static_cast<std::uint32_t>(text.size())});
      out.text_ += text;
    }
  }
  return out;
}

std::string_view Table::cell(std::size_t row, std::size_t column) const {
  const Cell& c = cells_[row * names_.size() + column];
  return std::string_view(text_).substr(c.begin, c.size);
}

std::optional<double> Table::find_number(std::size_t row, std::size_t column) const {
  double x = 0;
  if (number_problem(trimmed(cell(row, column)), x)) return {};
  return x;
}

std::vector<double> Table::numbers(std::string_view column, std::span<const std::string_view> missing) const {
  const std::size_t j = index(column);
  std::vector<double> out(rows());
  for (std::size_t i = 0; i < rows(); ++i) {
    if (std::ranges::find(missing, trimmed(cell(i, j))) != missing.end()) {
      out[i] = std::numeric_limits<double>::quiet_NaN();
      continue;
    }
    if (const auto problem = number_problem(trimmed(cell(i, j)), out[i])) {
      throw PlacedError(fmt::format("{}:{}: column '{}': {}", file_, lines_[i], column, *problem));
    }
  }
  return out;
}

}  // namespace evident
