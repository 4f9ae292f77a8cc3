#include "formula/value.hpp"

#include <fmt/format.h>

#include <map>

namespace evident::formula {
namespace {

template <class T, class Text>
Categories sorted(const std::vector<T>& values, Text text) {
  std::map<T, std::uint32_t> places;
  for (const T& v : values) places.emplace(v, 0);
  Categories out;
  for (auto& [value, place] : places) {
    place = static_cast<std::uint32_t>(out.labels.size());
    out.labels.push_back(text(value));
  }
  for (const T& v : values) out.codes.push_back(places.at(v));
  return out;
}

}  // namespace

std::string described(const Value& value) {
  switch (value.kind) {
    case Value::scalar:
      return "a number";
    case Value::vector:
      return fmt::format("a vector of {}", value.items.size());
    case Value::column:
      return fmt::format("column '{}'", value.data->name);
    case Value::law:
      return "a distribution";
  }
  return {};
}

Categories categories_of(const Column& column) {
  if (!column.texts.empty()) return sorted(column.texts, [](const std::string& s) { return s; });
  return sorted(column.numbers, [](double x) { return fmt::format("{}", x); });
}

}  // namespace evident::formula
