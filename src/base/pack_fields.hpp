// Values of listed fields to bytes and back (base/fields.hpp, base/pack.hpp). Numbers, texts, enumerations, and
// optionals, pairs, vectors and maps of them need nothing else; other types add a pair of overloads of put_value and
// get_value.
//
//   std::vector<std::byte> bytes = pack_value(point);
//   Point back = unpack_value<Point>(bytes);               // throws RunError when the bytes are damaged
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/fields.hpp"
#include "base/pack.hpp"

namespace evident {

/// Structures of plain numbers that go as they are: it is the same program that reads them.
template <class T>
inline constexpr bool is_plain = false;

/// The last enumerator of an enumeration whose values are 0, 1, ..: what is beyond is damage.
template <class E>
struct LastOf;

template <class T>
requires std::is_arithmetic_v<T> || std::is_enum_v<T>
void put_value(Packer& out, const T& x) {
  if constexpr (std::is_same_v<T, bool>)
    out.put(static_cast<char>(x));
  else
    out.put(x);
}
inline void put_value(Packer& out, const std::string& x) { out.put(x); }
template <class T>
requires is_plain<T>
void put_value(Packer& out, const T& x) { out.put_plain(x); }
template <HasFields T>
void put_value(Packer& out, const T& x);
template <class T>
void put_value(Packer& out, const std::optional<T>& x);
template <class A, class B>
void put_value(Packer& out, const std::pair<A, B>& x);
template <class T>
void put_value(Packer& out, const std::vector<T>& x);
template <class K, class T>
void put_value(Packer& out, const std::map<K, T>& x);

template <class T>
requires std::is_arithmetic_v<T> || std::is_enum_v<T>
void get_value(Unpacker& in, T& x) {
  if constexpr (std::is_same_v<T, bool>) {
    x = in.get<char>() != 0;
  } else if constexpr (std::is_enum_v<T>) {
    using Number = std::underlying_type_t<T>;
    const auto value = in.get<Number>();
    if (value < 0 || value > static_cast<Number>(LastOf<T>::value)) Unpacker::refuse();
    x = static_cast<T>(value);
  } else {
    x = in.get<T>();
  }
}
inline void get_value(Unpacker& in, std::string& x) { x = in.get_text(); }
template <class T>
requires is_plain<T>
void get_value(Unpacker& in, T& x) { x = in.get_plain<T>(); }
template <HasFields T>
void get_value(Unpacker& in, T& x);
template <class T>
void get_value(Unpacker& in, std::optional<T>& x);
template <class A, class B>
void get_value(Unpacker& in, std::pair<A, B>& x);
template <class T>
void get_value(Unpacker& in, std::vector<T>& x);
template <class K, class T>
void get_value(Unpacker& in, std::map<K, T>& x);

template <HasFields T>
void put_value(Packer& out, const T& x) {
  for_each_field(x, [&](std::string_view, const auto& one) { put_value(out, one); });
}
template <HasFields T>
void get_value(Unpacker& in, T& x) {
  for_each_field(x, [&](std::string_view, auto& one) { get_value(in, one); });
}

template <class T>
void put_value(Packer& out, const std::optional<T>& x) {
  put_value(out, x.has_value());
  if (x) put_value(out, *x);
}
template <class T>
void get_value(Unpacker& in, std::optional<T>& x) {
  bool there = false;
  get_value(in, there);
  x.reset();
  if (there) get_value(in, x.emplace());
}

template <class A, class B>
void put_value(Packer& out, const std::pair<A, B>& x) {
  put_value(out, x.first);
  put_value(out, x.second);
}
template <class A, class B>
void get_value(Unpacker& in, std::pair<A, B>& x) {
  get_value(in, x.first);
  get_value(in, x.second);
}

template <class T>
void put_value(Packer& out, const std::vector<T>& x) {
  if constexpr (std::is_arithmetic_v<T>) {
    out.put_plains(x);
  } else {
    out.put(static_cast<std::uint64_t>(x.size()));
    for (const T& one : x) put_value(out, one);
  }
}
template <class T>
void get_value(Unpacker& in, std::vector<T>& x) {
  if constexpr (std::is_arithmetic_v<T>) {
    x = in.get_plains<T>();
  } else {
    x.clear();
    for (std::size_t n = in.get_count(); n > 0; --n) get_value(in, x.emplace_back());
  }
}

template <class K, class T>
void put_value(Packer& out, const std::map<K, T>& x) {
  out.put(static_cast<std::uint64_t>(x.size()));
  for (const auto& one : x) put_value(out, one);
}
template <class K, class T>
void get_value(Unpacker& in, std::map<K, T>& x) {
  x.clear();
  for (std::size_t n = in.get_count(); n > 0; --n) {
    std::pair<K, T> one;
    get_value(in, one);
    x.insert(std::move(one));
  }
}

template <class T>
std::vector<std::byte> pack_value(const T& x) {
  Packer out;
  put_value(out, x);
  return out.finish();
}

template <class T>
T unpack_value(std::span<const std::byte> bytes) {
  Unpacker in(bytes);
  T x;
  get_value(in, x);
  in.end();
  return x;
}

}  // namespace evident
