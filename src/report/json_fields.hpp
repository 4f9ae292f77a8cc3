// Listed fields (base/fields.hpp) as JSON and back: an object with a key for each, in the order of the list.
//
//   json_of(parameter);                               // {"name": "mu", "mean": 1, ...}
//   json_of(parameter, short_number);                 // numbers with six digits
//   fields_of<ParameterSummary>(stored);              // what the same keys of a stored object say
//   put("log_evidence", estimate, json);              // two keys: "log_evidence" and "log_evidence_se"
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <type_traits>
#include <vector>

#include "base/fields.hpp"
#include "evident/base/estimate.hpp"

namespace evident::report {

using Json = nlohmann::ordered_json;

struct AllDigits {
  Json operator()(double x) const { return x; }
};

inline Json json_of(const Interval& x) { return std::isnan(x.lower) ? Json() : Json::array({x.lower, x.upper}); }
template <class T, class Number = AllDigits>
Json json_of(const std::vector<T>& x, const Number& number = {});

/// An enumerator is its name; a number that is not finite is null in the text.
template <class T, class Number = AllDigits>
Json json_of(const T& x, const Number& number = {}) {
  if constexpr (HasFields<T>) {
    Json out = Json::object();
    for_each_field(x, [&](std::string_view key, const auto& one) { out[std::string(key)] = json_of(one, number); });
    return out;
  } else if constexpr (std::is_same_v<T, double>) {
    return number(x);
  } else if constexpr (std::is_enum_v<T>) {
    return name(x);
  } else {
    return x;
  }
}
template <class T, class Number>
Json json_of(const std::vector<T>& x, const Number& number) {
  Json out = Json::array();
  for (const T& one : x) out.push_back(json_of(one, number));
  return out;
}

inline void put(const std::string& key, const Estimate& x, Json& out) {
  out[key] = x.value;
  out[key + "_se"] = x.standard_error;
}

/// Texts and numbers of a stored object (report/document_parts.hpp); what is missing is empty, or NaN.
template <HasFields T, class Object>
T fields_of(const Object& from) {
  T out;
  for_each_field(out, [&](std::string_view key, auto& one) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(one)>, double>)
      one = from.number(std::string(key).c_str());
    else
      one = from.text(std::string(key).c_str());
  });
  return out;
}

}  // namespace evident::report
