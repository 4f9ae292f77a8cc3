// Fingerprints of listed fields (base/fields.hpp): every field counts, and numbers count to the last bit.
//
//   Fingerprint sum;
//   add_value(sum, options);
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "base/fields.hpp"
#include "journal/journal.hpp"

namespace evident {

template <class T>
requires std::is_arithmetic_v<T> || std::is_enum_v<T>
void add_value(Fingerprint& sum, const T& x) { sum.add(std::as_bytes(std::span(&x, 1))); }
inline void add_value(Fingerprint& sum, const std::string& x) { sum.add(x); }
/// A function has no value that could be compared, and what is shared is made by the run; only whether there is one
/// counts.
template <class F>
void add_value(Fingerprint& sum, const std::function<F>& x) {
  add_value(sum, static_cast<bool>(x));
}
template <class T>
void add_value(Fingerprint& sum, const std::shared_ptr<T>& x) {
  add_value(sum, x != nullptr);
}
template <class T>
void add_value(Fingerprint& sum, const std::optional<T>& x);
template <class T>
void add_value(Fingerprint& sum, const std::vector<T>& x);
template <class... T>
void add_value(Fingerprint& sum, const std::variant<T...>& x);
template <HasFields T>
void add_value(Fingerprint& sum, const T& x);

template <class T>
void add_value(Fingerprint& sum, const std::optional<T>& x) {
  add_value(sum, x.has_value());
  if (x) add_value(sum, *x);
}
template <class T>
void add_value(Fingerprint& sum, const std::vector<T>& x) {
  add_value(sum, static_cast<std::uint64_t>(x.size()));
  for (const T& one : x) add_value(sum, one);
}
template <class... T>
void add_value(Fingerprint& sum, const std::variant<T...>& x) {
  add_value(sum, static_cast<std::uint64_t>(x.index()));
  std::visit([&](const auto& one) { add_value(sum, one); }, x);
}
template <HasFields T>
void add_value(Fingerprint& sum, const T& x) {
  for_each_field(x, [&](std::string_view name, const auto& one) {
    sum.add(name);
    add_value(sum, one);
  });
}

}  // namespace evident
