#include "study/section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/option.hpp"
#include "base/suggest.hpp"
#include "evident/base/log_math.hpp"
#include "tables/placed_error.hpp"

namespace evident::study {
namespace {

// How a value is shown in a message: short, and without the line breaks that it may hold.
std::string shown(const Value& value) {
  struct {
    std::string operator()(std::monostate) const { return "a date or time"; }
    std::string operator()(bool b) const { return b ? "true" : "false"; }
    std::string operator()(std::int64_t i) const { return std::to_string(i); }
    std::string operator()(std::uint64_t i) const { return std::to_string(i); }
    std::string operator()(double d) const { return fmt::format("{}", d); }
    std::string operator()(const std::string& s) const {
      return s.size() <= 60 ? fmt::format("\"{}\"", s) : fmt::format("\"{}...\"", s.substr(0, 57));
    }
    std::string operator()(const Value::Array& a) const { return fmt::format("a list of {}", a.size()); }
    std::string operator()(const Value::Table&) const { return "a table"; }
  } show;
  return std::visit(show, value.data);
}

}  // namespace

bool Range::contains(double x) const {
  const bool low = open_lower ? x > lower : x >= lower;
  const bool high = open_upper ? x < upper : x <= upper;
  return low && high;  // false for NaN
}

std::string Range::text() const {
  const bool low = std::isfinite(lower), high = std::isfinite(upper);
  if (low && high && !open_lower && !open_upper) return fmt::format("between {} and {}", lower, upper);
  std::string out;
  if (low) out = fmt::format("{} {}", open_lower ? "above" : "at least", lower);
  if (high) out += fmt::format("{}{} {}", low ? " and " : "", open_upper ? "below" : "at most", upper);
  return out.empty() ? "a finite number" : out;
}

std::string Range::of(std::string_view number) const {
  const bool bounded = std::isfinite(lower) || std::isfinite(upper);
  return bounded ? fmt::format("{} {}", number, text()) : std::string(number);
}

Section::Section(std::string file, std::string title, std::size_t line, Value::Table entries)
    : file_(std::move(file)), title_(std::move(title)), line_(line), entries_(std::move(entries)) {}

Section Section::of_options(Value::Table entries) {
  Section out("", "", 0, std::move(entries));
  out.in_file_ = false;
  return out;
}

const Entry* Section::find(std::string_view key) const {
  const auto it = std::ranges::find(entries_, key, &Entry::key);
  return it == entries_.end() ? nullptr : &*it;
}

void Section::fail_at(std::size_t line, const std::string& what) const {
  if (!in_file_) throw InputError(what);
  throw PlacedError(fmt::format("{}:{}: {}", file_, line, what));
}
void Section::fail(const std::string& what) const { fail_at(line_, what); }
void Section::fail(std::string_view key, const std::string& what) const {
  if (!in_file_) throw InputError(fmt::format("{} {}", option(key), what));
  const Entry* entry = find(key);
  fail_at(entry ? entry->line : line_, fmt::format("'{}'{}{} {}", key, title_.empty() ? "" : " in ", title_, what));
}
std::string Section::mention(std::string_view key, std::string_view value) const {
  if (!in_file_) return option(key, value);
  return value.empty() ? std::string(key) : fmt::format("{} = \"{}\"", key, value);
}
void Section::wrong_type(std::string_view key, const Value& value, std::string_view wanted) const {
  fail(key, fmt::format("must be {}, was {}", wanted, shown(value)));
}

double Section::as_number(std::string_view key, const Value& value, const Range& range) const {
  double x = 0;
  if (const auto* d = std::get_if<double>(&value.data)) {
    x = *d;
  } else if (const auto* i = std::get_if<std::int64_t>(&value.data)) {
    x = static_cast<double>(*i);
  } else if (const auto* u = std::get_if<std::uint64_t>(&value.data)) {
    x = static_cast<double>(*u);
  } else {
    wrong_type(key, value, range.of("a number"));
  }
  if (!range.contains(x)) fail(key, fmt::format("must be {}, was {}", range.text(), shown(value)));
  return x;
}

std::uint64_t Section::as_integer(std::string_view key, const Value& value, std::uint64_t lower,
                                  std::uint64_t upper) const {
  const auto checked = [&](auto i) {
    if (std::cmp_less(i, lower) || std::cmp_greater(i, upper))
      fail(key, fmt::format("must be between {} and {}, was {}", lower, upper, shown(value)));
    return static_cast<std::uint64_t>(i);
  };
  if (const auto* i = std::get_if<std::int64_t>(&value.data)) return checked(*i);
  if (const auto* i = std::get_if<std::uint64_t>(&value.data)) return checked(*i);
  const auto* d = std::get_if<double>(&value.data);  // 1e4 is a whole number too
  if (d == nullptr || std::trunc(*d) != *d || std::abs(*d) >= 9e15)
    wrong_type(key, value, fmt::format("a whole number between {} and {}", lower, upper));
  return checked(static_cast<std::int64_t>(*d));
}

const std::string& Section::as_text(std::string_view key, const Value& value) const {
  const auto* s = std::get_if<std::string>(&value.data);
  if (!s) wrong_type(key, value, "a text in quotes");
  return *s;
}

const Value::Array* Section::list(std::string_view key, std::string_view wanted) const {
  const Entry* entry = find(key);
  if (!entry) return nullptr;
  const auto* array = std::get_if<Value::Array>(&entry->value.data);
  if (!array) wrong_type(key, entry->value, wanted);
  if (array->empty()) fail(key, "must not be an empty list");
  return array;
}

std::optional<bool> Section::flag(std::string_view key) const {
  const Entry* entry = find(key);
  if (!entry) return {};
  const bool* b = std::get_if<bool>(&entry->value.data);
  if (!b) wrong_type(key, entry->value, "true or false");
  return *b;
}

std::optional<double> Section::number(std::string_view key, const Range& range) const {
  const Entry* entry = find(key);
  if (!entry) return {};
  return as_number(key, entry->value, range);
}

std::optional<std::uint64_t> Section::integer(std::string_view key, std::uint64_t lower, std::uint64_t upper) const {
  const Entry* entry = find(key);
  if (!entry) return {};
  return as_integer(key, entry->value, lower, upper);
}

std::optional<std::string> Section::text(std::string_view key) const {
  const Entry* entry = find(key);
  if (!entry) return {};
  return as_text(key, entry->value);
}

std::optional<std::string> Section::choice(std::string_view key, std::span<const std::string_view> known) const {
  std::optional<std::string> word = text(key);
  if (!word || std::ranges::find(known, *word) != known.end()) return word;
  const std::string hint = did_you_mean(*word, known);
  fail(key, hint.empty() ? fmt::format("must be one of \"{}\", was \"{}\"", fmt::join(known, "\", \""), *word)
                         : fmt::format("has no choice \"{}\"{}", *word, hint));
}

std::optional<std::vector<double>> Section::numbers(std::string_view key, const Range& range) const {
  const Value::Array* array = list(key, "a list of numbers");
  if (!array) return {};
  std::vector<double> out;
  for (const Value& v : *array) out.push_back(as_number(key, v, range));
  return out;
}

std::optional<std::vector<std::uint64_t>> Section::integers(std::string_view key, std::uint64_t lower,
                                                            std::uint64_t upper) const {
  const Value::Array* array = list(key, "a list of whole numbers");
  if (!array) return {};
  std::vector<std::uint64_t> out;
  for (const Value& v : *array) out.push_back(as_integer(key, v, lower, upper));
  return out;
}

std::optional<std::vector<std::string>> Section::texts(std::string_view key) const {
  const Entry* entry = find(key);
  if (entry && std::holds_alternative<std::string>(entry->value.data)) return {{as_text(key, entry->value)}};
  const Value::Array* array = list(key, "a text or a list of texts");
  if (!array) return {};
  std::vector<std::string> out;
  for (const Value& v : *array) out.push_back(as_text(key, v));
  return out;
}

std::optional<Section> Section::section(std::string_view key, std::string title) const {
  const Entry* entry = find(key);
  if (!entry) return {};
  const auto* table = std::get_if<Value::Table>(&entry->value.data);
  if (!table) wrong_type(key, entry->value, fmt::format("a table, {}", title));
  return Section(file_, std::move(title), entry->value.line, *table);
}

std::vector<Section> Section::sections(std::string_view key, const std::string& title) const {
  const Entry* entry = find(key);
  if (!entry) return {};
  std::vector<Section> out;
  const auto* array = std::get_if<Value::Array>(&entry->value.data);
  if (!array) wrong_type(key, entry->value, fmt::format("a list of tables, {}", title));
  for (const Value& v : *array) {
    const auto* table = std::get_if<Value::Table>(&v.data);
    if (!table) wrong_type(key, v, fmt::format("a list of tables, {}", title));
    out.emplace_back(file_, title, v.line, *table);
  }
  return out;
}

void Section::check_keys(std::span<const std::string_view> known) const {
  for (const Entry& entry : entries_) {
    if (std::ranges::find(known, entry.key) != known.end()) continue;
    const std::string hint = did_you_mean(entry.key, known);
    fail_at(entry.line, fmt::format("unknown key '{}'{}{}{}", entry.key, title_.empty() ? "" : " in ", title_,
                                    hint.empty() ? fmt::format("; known are {}", fmt::join(known, ", ")) : hint));
  }
}

}  // namespace evident::study
