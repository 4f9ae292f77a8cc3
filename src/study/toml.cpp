// The only file that knows the TOML library: it turns a document into Values with line numbers.
#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>

#include "evident/study/placed_error.hpp"
#include "evident/study/section.hpp"
#include "study/file_text.hpp"

namespace evident::study {
namespace {

constexpr std::size_t kMaxBytes = 16u << 20;

Value convert(const toml::node& node);

Value::Table convert(const toml::table& table) {
  Value::Table out;
  for (const auto& [key, node] : table) {
    out.push_back({std::string(key.str()), key.source().begin.line, convert(node)});
  }
  // The library sorts by name; the order of the file is what a reader of messages expects.
  std::ranges::stable_sort(out, {}, &Entry::line);
  return out;
}

Value convert(const toml::node& node) {
  Value out{.line = node.source().begin.line, .data = {}};
  if (const auto* table = node.as_table()) {
    out.data = convert(*table);
  } else if (const auto* array = node.as_array()) {
    Value::Array items;
    for (const toml::node& item : *array) items.push_back(convert(item));
    out.data = std::move(items);
  } else if (const auto b = node.as_boolean()) {
    out.data = b->get();
  } else if (const auto i = node.as_integer()) {
    out.data = i->get();
  } else if (const auto d = node.as_floating_point()) {
    out.data = d->get();
  } else if (const auto s = node.as_string()) {
    out.data = s->get();
  }
  return out;
}

}  // namespace

Section parse_toml(std::string_view text, const std::string& file) {
  try {
    return {file, "", 1, convert(toml::parse(text))};
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
