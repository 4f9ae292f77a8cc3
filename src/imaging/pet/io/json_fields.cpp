#include "imaging/pet/io/json_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <vector>

#include "evident/base/error.hpp"
#include "imaging/pet/io/words.hpp"
#include "tables/file_text.hpp"

namespace evident::imaging {
namespace {

using JsonValue = nlohmann::json;

constexpr std::size_t kMaxJsonBytes = std::size_t{64} << 20;
constexpr int kMaxDepth = 100;

/// Watches the parser: stops at a nesting that no sidecar has, before it can exhaust anything, and at a field that an
/// object has twice, of which one would count in silence.
class Watch {
 public:
  explicit Watch(const std::string& file) : file_(file) {}

  bool operator()(int depth, JsonValue::parse_event_t event, const JsonValue& value) {
    if (depth > kMaxDepth) throw InputError(fmt::format("{}: nested more than {} levels deep", file_, kMaxDepth));
    if (event == JsonValue::parse_event_t::object_start) open_.emplace_back();
    if (event == JsonValue::parse_event_t::object_end) open_.pop_back();
    if (event == JsonValue::parse_event_t::key && !open_.back().insert(value.get<std::string>()).second)
      throw InputError(fmt::format("{}: the field '{}' is given twice; remove one of them", file_,
                                   shortened(value.get_ref<const std::string&>())));
    return true;
  }

 private:
  const std::string& file_;
  std::vector<std::set<std::string>> open_;  ///< the fields of each object that is not yet closed
};

JsonValue parsed(const std::string& text, const std::string& file) {
  try {
    Watch watch(file);
    return JsonValue::parse(text, std::ref(watch));
  } catch (const JsonValue::parse_error& e) {
    const std::size_t at = std::min(e.byte > 0 ? e.byte - 1 : 0, text.size());
    const auto begin = text.begin(), stop = begin + static_cast<std::ptrdiff_t>(at);
    const auto line = std::count(begin, stop, '\n') + 1;
    const std::size_t before = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
    const std::size_t column = before == std::string::npos ? at + 1 : at - before;
    const bool cut = at + 1 >= text.size();
    throw InputError(
        fmt::format("{}:{}:{}: is not valid JSON{}", file, line, column, cut ? ": the file ends too early" : ""));
  } catch (const JsonValue::exception&) {
    throw InputError(fmt::format("{}: holds a number outside the range of numbers", file));
  }
}

std::string_view kind_of(const JsonValue& value) {
  if (value.is_string()) return "a text";
  if (value.is_number()) return "a number";
  if (value.is_boolean()) return "true or false";
  if (value.is_array()) return "a list";
  return "an object";
}

std::string described(const JsonValue& value) {
  if (value.is_string()) return fmt::format("the text \"{}\"", shortened(value.get_ref<const std::string&>()));
  if (value.is_primitive()) return value.dump();
  return std::string(kind_of(value));
}

}  // namespace

JsonFields JsonFields::read(const std::vector<std::string>& files) {
  JsonFields fields;
  for (const std::string& file : files) {
    JsonFields one = parse(file_text(file, kMaxJsonBytes), file);
    fields.objects_.push_back(std::move(one.objects_.front()));
  }
  return fields;
}

JsonFields JsonFields::parse(const std::string& text, const std::string& file) {
  JsonValue value = parsed(text, file);
  if (!value.is_object()) {
    throw InputError(
        fmt::format("{}: must be one JSON object, {{\"Field\": value, ...}}, but is {}", file, kind_of(value)));
  }
  JsonFields fields;
  fields.objects_.emplace_back(file, std::move(value));
  return fields;
}

JsonFields::Found JsonFields::find(std::string_view name) const {
  const std::string wanted = lower_case(name);
  for (const auto& [file, object] : objects_) {
    const auto exact = object.find(name);
    if (exact != object.end() && !exact->is_null()) return {&*exact, &file};
    for (const auto& [key, value] : object.items()) {
      if (key.size() == wanted.size() && !value.is_null() && lower_case(key) == wanted) return {&value, &file};
    }
  }
  return {};
}

std::string JsonFields::where(std::string_view name) const {
  const Found found = find(name);
  const std::string file = found.file ? *found.file : objects_.empty() ? "sidecar" : objects_.front().first;
  return fmt::format("{}: '{}'", file, name);
}

void JsonFields::wrong_type(std::string_view name, const Found& found, std::string_view wanted) const {
  throw InputError(fmt::format("{}: '{}' must be {}, but is {}", *found.file, name, wanted, described(*found.value)));
}

std::optional<double> JsonFields::number(std::string_view name) const {
  const Found found = find(name);
  if (!found.value) return {};
  if (!found.value->is_number()) wrong_type(name, found, "a number");
  return found.value->get<double>();
}

std::optional<std::string> JsonFields::text(std::string_view name) const {
  const Found found = find(name);
  if (!found.value) return {};
  if (!found.value->is_string()) wrong_type(name, found, "a text");
  return std::string(trimmed(found.value->get_ref<const std::string&>()));
}

std::optional<double> JsonFields::number_if_any(std::string_view name) const {
  const Found found = find(name);
  return found.value && found.value->is_number() ? number(name) : std::nullopt;
}

std::optional<std::string> JsonFields::text_if_any(std::string_view name) const {
  const Found found = find(name);
  return found.value && found.value->is_string() ? text(name) : std::nullopt;
}

std::optional<bool> JsonFields::flag(std::string_view name, std::vector<std::string>& warnings) const {
  const Found found = find(name);
  if (!found.value) return {};
  if (found.value->is_boolean()) return found.value->get<bool>();
  if (found.value->is_string()) {
    const std::string word = lower_case(trimmed(found.value->get_ref<const std::string&>()));
    if (word == "true" || word == "false") {
      warnings.push_back(fmt::format("{} is a text; read as {} (write it without quotes)", where(name), word));
      return word == "true";
    }
  }
  wrong_type(name, found, "true or false");
}

std::optional<std::vector<double>> JsonFields::numbers(std::string_view name, std::size_t most) const {
  const Found found = find(name);
  if (!found.value) return {};
  if (found.value->is_number()) return std::vector<double>{found.value->get<double>()};
  if (!found.value->is_array()) wrong_type(name, found, "a list of numbers");
  if (found.value->size() > most) {
    throw InputError(fmt::format("{}: '{}' has {} entries, more than the {} that can be used", *found.file, name,
                                 found.value->size(), most));
  }
  std::vector<double> out;
  out.reserve(found.value->size());
  for (const JsonValue& entry : *found.value) {
    if (!entry.is_number()) {
      throw InputError(fmt::format("{}: '{}': entry {} must be a number, but is {}", *found.file, name, out.size() + 1,
                                   described(entry)));
    }
    out.push_back(entry.get<double>());
  }
  return out;
}

std::optional<std::string> JsonFields::text_within(std::string_view name, std::string_view key) const {
  const Found found = find(name);
  if (!found.value || !found.value->is_object()) return {};
  const std::string wanted = lower_case(key);
  for (const auto& [inner, value] : found.value->items()) {
    if (lower_case(inner) != wanted || value.is_null()) continue;
    if (!value.is_string()) {
      throw InputError(
          fmt::format("{}: '{}' of '{}' must be a text, but is {}", *found.file, key, name, described(value)));
    }
    return std::string(trimmed(value.get_ref<const std::string&>()));
  }
  return {};
}

}  // namespace evident::imaging
