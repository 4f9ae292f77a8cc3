#include "study/external_fields.hpp"

#include <fmt/format.h>

#include <charconv>

#include "base/option.hpp"
#include "evident/base/error.hpp"
#include "evident/dist/distribution.hpp"
#include "tables/placed_error.hpp"

namespace evident::study {
namespace {

constexpr std::size_t kLongestVector = 10'000;

std::string json_text(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 32) {
      out += fmt::format("\\u{:04x}", byte);
    } else {
      out += c;
    }
  }
  return out + '"';
}

/// A value as JSON; at the top, a text is given as it is.
std::string text_of(const Section& section, std::string_view key, const Value& value, bool top) {
  if (const auto* b = std::get_if<bool>(&value.data)) return *b ? "true" : "false";
  if (const auto* i = std::get_if<std::int64_t>(&value.data)) return std::to_string(*i);
  if (const auto* d = std::get_if<double>(&value.data)) return fmt::format("{}", *d);
  if (const auto* s = std::get_if<std::string>(&value.data)) return top ? *s : json_text(*s);
  std::string out;
  if (const auto* array = std::get_if<Value::Array>(&value.data)) {
    for (const Value& v : *array) out += (out.empty() ? "" : ", ") + text_of(section, key, v, false);
    return "[" + out + "]";
  }
  if (const auto* table = std::get_if<Value::Table>(&value.data)) {
    for (const Entry& e : *table)
      out += (out.empty() ? "" : ", ") + json_text(e.key) + ": " + text_of(section, key, e.value, false);
    return "{" + out + "}";
  }
  section.fail(key, "must not be a date or time; write it as a text");
}

/// "theta[8]" is theta and 8; without brackets the number is 0.
std::pair<std::string, std::size_t> vector_of(const Section& section, const std::string& key) {
  const std::size_t open = key.find('[');
  if (open == std::string::npos) return {key, 0};
  std::size_t count = 0;
  const char* const end = key.data() + key.size();
  const auto read = std::from_chars(key.data() + open + 1, end, count);
  if (open == 0 || read.ec != std::errc() || read.ptr + 1 != end || *read.ptr != ']' || count < 1 ||
      count > kLongestVector)
    section.fail(key,
                 fmt::format("is not the name of a vector, as \"theta[8]\" is, of 1 to {} entries", kLongestVector));
  return {key.substr(0, open), count};
}

}  // namespace

void require_code(const Section& model, std::string_view key, const DataFiles& files) {
  if (files.code().allowed) return;
  model.fail(key, "runs code that is not evident's own, which can do whatever you can; when you trust it, add " +
                      option("allow_code"));
}

ParameterSpace read_parameters(const Section& model) {
  ParameterSpace space;
  const auto table = model.section("parameters", "[model.parameters]");
  if (!table) return space;
  if (table->entries().empty()) table->fail("[model.parameters] is empty; write, for example, mu = \"normal(0, 10)\"");
  for (const Entry& entry : table->entries()) {
    const auto [name, count] = vector_of(*table, entry.key);
    const std::string prior = table->text(entry.key).value();
    try {
      const Distribution distribution = parse_distribution(prior);
      if (count == 0) space.add(name, distribution);
      for (std::size_t k = 1; k <= count; ++k) space.add(fmt::format("{}[{}]", name, k), distribution);
    } catch (const InputError& e) {
      table->fail(entry.key, fmt::format("is no prior: {}", e.message()));
    }
  }
  return space;
}

std::vector<external::TextOption> read_text_options(const Section& model) {
  std::vector<external::TextOption> out;
  const auto table = model.section("options", "[model.options]");
  if (!table) return out;
  for (const Entry& entry : table->entries()) {
    std::string text = text_of(*table, entry.key, entry.value, true);
    if (text.find('\0') != std::string::npos) table->fail(entry.key, "holds a zero byte");
    out.push_back({entry.key, std::move(text)});
  }
  return out;
}

std::vector<external::DataColumn> read_columns(const Section& model, DataFiles& files) {
  const auto listed = model.texts("columns");
  if (!listed && !files.has_main()) return {};
  const Table& table = files.main();
  std::vector<external::DataColumn> out;
  for (const std::string& name : listed ? *listed : files.columns()) {
    try {
      out.push_back({name, table.numbers(name)});
    } catch (const PlacedError& e) {
      if (listed) throw;
      throw PlacedError(fmt::format("{}; columns = [...] in the model lists those that it needs", e.message()));
    }
  }
  return out;
}

}  // namespace evident::study
