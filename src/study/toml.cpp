// The only file that knows the TOML library: it turns a document into Values with line numbers.
#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "study/section.hpp"
#include "tables/file_text.hpp"
#include "tables/placed_error.hpp"

namespace evident::study {
namespace {

constexpr std::size_t kMaxBytes = 16u << 20;

/// The lines of the file: where a text begins within its quotes is not in the document.
class Lines {
 public:
  explicit Lines(std::string_view text) {
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      lines_.push_back(text.substr(at, end - at));
      at = end + 1;
    }
  }

  /// `value` stands at its line and column; sets where its text begins.
  void place_text(Value& value) const {
    value.text_line = value.line;
    value.text_column = value.column + 1;
    if (value.line < 1 || value.line > lines_.size()) return;
    std::string_view rest = lines_[value.line - 1];
    for (std::size_t c = 1; c < value.column && !rest.empty(); ++c) {  // columns count characters, not bytes
      rest.remove_prefix(1);
      while (!rest.empty() && (static_cast<unsigned char>(rest.front()) & 0xC0u) == 0x80u) rest.remove_prefix(1);
    }
    if (!rest.starts_with("\"\"\"") && !rest.starts_with("'''")) return;
    value.text_column = value.column + 3;
    if (rest.size() > 3 && rest.substr(3) != "\r") return;
    ++value.text_line;
    value.text_column = 1;
  }

 private:
  std::vector<std::string_view> lines_;
};

/// What the library does not bear. Keys with many parts, a.b.c = 1, would nest tables deeper than the stack when they
/// are read and when they go; all other ways to nest have a limit. A table without a name, a missing value and letters
/// beyond ASCII outside of texts are against what it assumes; it takes a quoted letter for one outside of texts where a
/// number goes on with a quote, as in 22{"...", 22="..." and 22."...". After a date and a blank it takes a digit for
/// the beginning of a time, and does not expect that nothing follows.
class Precautions {
 public:
  Precautions(std::string_view text, const std::string& file) : text_(text), rest_(text), file_(file) {
    if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);
  }

  void check() {
    while (!rest_.empty()) {
      if (line_begins_) check_header();
      line_begins_ = false;
      const char c = rest_.front();
      check_value(c);
      check_word(c);
      check_date();
      if (c == '"' || c == '\'') {
        skip_text(c);
        last_ = c;
        continue;
      }
      if (c == '#') skip_to('\n');
      if (rest_.empty()) return;
      take(last_ = rest_.front());
      rest_.remove_prefix(1);
    }
  }

 private:
  static constexpr std::size_t kMostParts = 16;
  static constexpr std::string_view kDate = "YYYY-MM-DD";

  void take(char c) {
    if (c == '\n') {
      ++line_;
      line_begins_ = true;
      if (open_.empty()) in_value_ = false;
    }
    if (static_cast<unsigned char>(c) >= 0x80)
      throw PlacedError(fmt::format("{}:{}: not valid TOML: letters other than a to z stand in quotes or comments only",
                                    file_, line_));
    if (c == '[' || c == '{') open_ += c;
    if ((c == ']' || c == '}') && !open_.empty()) open_.pop_back();
    if (c == '=' || c == '}') in_value_ = true;  // a table in braces is a value, whatever it stands in
    if (c == '{' || (c == ',' && !open_.ends_with('['))) in_value_ = false;
    if (std::string_view("\n=,{}[]").find(c) != std::string_view::npos) parts_ = 1;
    if (c == '.' && ++parts_ > kMostParts)
      throw PlacedError(
          fmt::format("{}:{}: a key has more than {} parts; no key of a study has", file_, line_, kMostParts));
  }

  /// "a = ]", "[}" and "[1,,2]" lack a value.
  void check_value(char c) {
    if (std::string_view(" \t\r\n").find(c) != std::string_view::npos) return;
    const auto is_one_of = [](char which, std::string_view all) { return all.find(which) != std::string_view::npos; };
    if ((before_ == '=' && is_one_of(c, "]},#")) || (is_one_of(before_, "[,") && is_one_of(c, "},")))
      throw PlacedError(fmt::format("{}:{}: not valid TOML: a value is expected before '{}'", file_, line_, c));
    if (c != '#') before_ = c;
  }

  /// A word goes on to the next blank, comma or closing bracket; only names may have quotes, after a dot.
  void check_word(char c) const {
    const bool quote = c == '"' || c == '\'', inner = in_value_ && (c == '[' || c == '{' || c == '=');
    if (!quote && !inner) return;
    if (std::string_view("\n\r\t =[{,").find(last_) != std::string_view::npos || (last_ == '.' && !in_value_)) return;
    const std::string_view what = quote ? "quote" : c == '=' ? "'='" : "bracket";
    throw PlacedError(fmt::format("{}:{}: not valid TOML: a {} within a word", file_, line_, what));
  }

  /// "2026-01-31 7": a word in the form of a date, a blank and a digit. Underscores do not count.
  void check_date() const {
    if (rest_.size() < 2 || rest_[0] != ' ' || rest_[1] < '0' || rest_[1] > '9') return;
    std::string word;  // backwards
    for (std::size_t at = text_.size() - rest_.size(); at > 0 && word.size() <= kDate.size(); --at) {
      const char c = text_[at - 1];
      if (std::string_view("\n\v\f\r\t =[]{},").find(c) != std::string_view::npos) break;
      if (c != '_') word += c;
    }
    if (word.size() == kDate.size() && word[2] == '-' && word[5] == '-')
      throw PlacedError(fmt::format("{}:{}: a date with a time is no value of a study", file_, line_));
  }

  /// Of "[name]" and "[[name]]", at the beginning of a line and outside of lists.
  void check_header() const {
    constexpr std::string_view kBlanks = " \t";
    std::string_view line = rest_;
    const auto skip_blanks = [&] { line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size())); };
    skip_blanks();
    if (!open_.empty() || !line.starts_with('[')) return;
    for (int i = 0; i < 2 && line.starts_with('['); ++i) {
      line.remove_prefix(1);
      skip_blanks();
    }
    if (line.empty()) return;
    const char c = line.front();
    const bool named = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!named && std::string_view("_-\"']").find(c) == std::string_view::npos)
      throw PlacedError(fmt::format("{}:{}: not valid TOML: the name of a table is expected after '['", file_, line_));
  }

  /// A backslash, and what follows it when blanks and line breaks are left out.
  void check_escape() const {
    const std::size_t next = rest_.find_first_not_of(" \t\r\n", 1);
    if (next != std::string_view::npos && static_cast<unsigned char>(rest_[next]) >= 0x80)
      throw PlacedError(
          fmt::format("{}:{}: a backslash in a text cannot be followed by letters other than a to z", file_, line_));
  }

  void skip_to(char c) { rest_.remove_prefix(std::min(rest_.find(c), rest_.size())); }

  void skip_text(char quote) {
    const std::string three(3, quote);
    const std::string_view end = rest_.starts_with(three) ? std::string_view(three) : std::string_view(&quote, 1);
    rest_.remove_prefix(end.size());
    while (!rest_.empty() && !rest_.starts_with(end)) {
      if (rest_.front() == '\n') ++line_;
      const bool escape = rest_.front() == '\\' && quote == '"' && rest_.size() > 1;
      if (escape) check_escape();
      if (escape && rest_[1] == '\n') ++line_;
      rest_.remove_prefix(escape ? 2 : 1);
    }
    rest_.remove_prefix(std::min(end.size(), rest_.size()));
    // A text in three quotes may end with quotes of its own.
    for (int i = 0; i < 2 && end.size() == 3 && rest_.starts_with(quote); ++i) rest_.remove_prefix(1);
  }

  std::string_view text_, rest_;
  const std::string& file_;
  std::size_t line_ = 1, parts_ = 1;
  std::string open_;  ///< the brackets around what is next
  bool line_begins_ = true, in_value_ = false;
  char before_ = '\n', last_ = '\n';  ///< the last character that is no blank, and the last one
};

Value convert(const toml::node& node, const Lines& lines);

Value::Table convert(const toml::table& table, const Lines& lines) {
  Value::Table out;
  for (const auto& [key, node] : table) {
    const toml::source_position at = key.source().begin;
    out.push_back({std::string(key.str()), at.line, convert(node, lines), at.column});
  }
  // The library sorts by name; the order of the file is what a reader of messages expects.
  std::ranges::stable_sort(
      out, [](const Entry& a, const Entry& b) { return a.line != b.line ? a.line < b.line : a.column < b.column; });
  return out;
}

Value convert(const toml::node& node, const Lines& lines) {
  const toml::source_position at = node.source().begin;
  Value out{.line = at.line, .column = at.column, .data = {}};
  if (const auto* table = node.as_table()) {
    out.data = convert(*table, lines);
  } else if (const auto* array = node.as_array()) {
    Value::Array items;
    for (const toml::node& item : *array) items.push_back(convert(item, lines));
    out.data = std::move(items);
  } else if (const auto b = node.as_boolean()) {
    out.data = b->get();
  } else if (const auto i = node.as_integer()) {
    out.data = i->get();
  } else if (const auto d = node.as_floating_point()) {
    out.data = d->get();
  } else if (const auto s = node.as_string()) {
    lines.place_text(out);
    out.data = s->get();
  }
  return out;
}

}  // namespace

Section parse_toml(std::string_view text, const std::string& file) {
  if (const auto zero = text.find('\0'); zero != std::string_view::npos)  // the library would stop the program
    throw PlacedError(fmt::format("{}: is not a text file (byte {} is zero)", file, zero + 1));
  Precautions(text, file).check();
  try {
    return {file, "", 1, convert(toml::parse(text), Lines(text))};
  } catch (const toml::parse_error& e) {
    const toml::source_position at = e.source().begin;
    throw PlacedError(fmt::format("{}:{}:{}: not valid TOML: {}", file, at.line, at.column, e.description()));
  }
}

Section read_toml(const std::string& file) {
  const std::string text = file_text(file, kMaxBytes);
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) throw PlacedError(fmt::format("{}: is empty", file));
  return parse_toml(text, file);
}

}  // namespace evident::study
