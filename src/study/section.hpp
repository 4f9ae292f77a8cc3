// A table of a study file, with the place of every key, so that each message can say where.
//
//   Section sampler = ...;                                        // [sampler]
//   double cess = sampler.number("cess", above_and_below(0, 1)).value_or(0.999);
//   sampler.check_keys(known);
//   // study.toml:7: unknown key 'partciles' in [sampler]; ...
//
// Readers return nothing when the key is absent and throw InputError when the value has the wrong type or range.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tables/table.hpp"

namespace evident::study {

struct Entry;

/// A value as the file has it. A date or time is kept as std::monostate: no key takes one.
struct Value {
  using Array = std::vector<Value>;
  using Table = std::vector<Entry>;
  std::size_t line = 0, column = 0;
  std::size_t text_line = 0, text_column = 0;  ///< of the first character of a text, within its quotes
  std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, Array, Table> data;
};

struct Entry {
  std::string key;
  std::size_t line = 0;
  Value value;
  std::size_t column = 0;
};

/// The allowed range of a number, and how it is told.
struct Range {
  double lower, upper;
  bool open_lower = false, open_upper = false;
  bool contains(double x) const;
  std::string text() const;  ///< "above 0 and below 1"
  std::string of(
      std::string_view number) const;  ///< "a number above 0 and below 1", or "a number" where it has no bounds
};
constexpr Range at_least(double lower) { return {lower, std::numeric_limits<double>::infinity(), false, true}; }
constexpr Range above(double lower) { return {lower, std::numeric_limits<double>::infinity(), true, true}; }
/// Both bounds allowed.
constexpr Range between(double lower, double upper) { return {lower, upper, false, false}; }
/// Neither bound allowed.
constexpr Range above_and_below(double lower, double upper) { return {lower, upper, true, true}; }
constexpr Range any_number() {
  return above_and_below(-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity());
}

class Section {
 public:
  /// `title` is how messages call it, "[sampler]"; `line` is where it begins.
  Section(std::string file, std::string title, std::size_t line, Value::Table entries);
  /// Options that are in no file: messages name them by their keys (base/option.hpp).
  static Section of_options(Value::Table entries);

  const std::string& file() const { return file_; }
  const std::string& title() const { return title_; }
  const Value::Table& entries() const { return entries_; }
  bool has(std::string_view key) const { return find(key) != nullptr; }

  std::optional<bool> flag(std::string_view key) const;
  std::optional<double> number(std::string_view key, const Range& range = any_number()) const;
  std::optional<std::uint64_t> integer(std::string_view key, std::uint64_t lower, std::uint64_t upper) const;
  std::optional<std::string> text(std::string_view key) const;
  /// A text that is one of `known`; the message names the nearest.
  std::optional<std::string> choice(std::string_view key, std::span<const std::string_view> known) const;
  /// Lists; an empty list is refused.
  std::optional<std::vector<double>> numbers(std::string_view key, const Range& range = any_number()) const;
  std::optional<std::vector<std::uint64_t>> integers(std::string_view key, std::uint64_t lower,
                                                     std::uint64_t upper) const;
  std::optional<std::vector<std::string>> texts(std::string_view key) const;  ///< one text is a list of one
  /// A table within this one, or an array of tables.
  std::optional<Section> section(std::string_view key, std::string title) const;
  std::vector<Section> sections(std::string_view key, const std::string& title) const;

  /// Throws for the first key that is not among `known`.
  void check_keys(std::span<const std::string_view> known) const;
  /// A key within a message about another one: `islands`, `recipe = "islands"`.
  std::string mention(std::string_view key, std::string_view value = {}) const;
  /// Throws "file:line: 'key' in [section] <what>".
  [[noreturn]] void fail(std::string_view key, const std::string& what) const;
  /// Throws "file:line: <what>", with the line where the section begins.
  [[noreturn]] void fail(const std::string& what) const;

 private:
  const Entry* find(std::string_view key) const;
  [[noreturn]] void fail_at(std::size_t line, const std::string& what) const;
  [[noreturn]] void wrong_type(std::string_view key, const Value& value, std::string_view wanted) const;
  double as_number(std::string_view key, const Value& value, const Range& range) const;
  std::uint64_t as_integer(std::string_view key, const Value& value, std::uint64_t lower, std::uint64_t upper) const;
  const std::string& as_text(std::string_view key, const Value& value) const;
  const Value::Array* list(std::string_view key, std::string_view wanted) const;

  std::string file_, title_;
  std::size_t line_;
  Value::Table entries_;
  bool in_file_ = true;
};

/// The whole of a TOML file as one section. Throws InputError with file and line when it cannot be read.
Section read_toml(const std::string& file);
/// The same of a text; `file` is for messages only.
Section parse_toml(std::string_view text, const std::string& file);

}  // namespace evident::study
