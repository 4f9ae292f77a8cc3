// The fields of a type, listed once. Bytes (base/pack_fields.hpp), fingerprints (journal/fingerprint_fields.hpp) and
// JSON (report/json_fields.hpp) are made from the list, so that none of them can forget a field.
//
//   template <>
//   struct Fields<Point> {
//     static constexpr auto list = std::tuple(field("x", &Point::x), field("y", &Point::y));
//   };
//   static_assert(lists_every_field<Point>);
//   for_each_field(point, [](std::string_view name, double& value) { ... });
#pragma once

#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace evident {

template <class T>
struct Fields;

template <class T, class Member>
struct Field {
  std::string_view name;
  Member T::*member;
};

template <class T, class Member>
constexpr Field<T, Member> field(std::string_view name, Member T::*member) {
  return {name, member};
}

template <class T>
concept HasFields = requires {
  Fields<std::remove_cv_t<T>>::list;
};

/// Calls f(name, field) for each field, in the order of the list.
template <HasFields T, class F>
void for_each_field(T& x, F&& f) {
  std::apply([&](const auto&... one) { (f(one.name, x.*one.member), ...); }, Fields<std::remove_cv_t<T>>::list);
}

namespace fields_detail {

struct Anything {
  template <class T>
  operator T() const;  // NOLINT(google-explicit-constructor): stands for any value, and is never called
};

template <class T, std::size_t... I>
constexpr bool takes(std::index_sequence<I...>) {
  return requires { T{((void)I, Anything{})...}; };
}

template <class T, std::size_t N = 0>
constexpr std::size_t members() {
  if constexpr (takes<T>(std::make_index_sequence<N + 1>()))
    return members<T, N + 1>();
  else
    return N;
}

}  // namespace fields_detail

/// Has an aggregate as many members as its list has fields?
template <HasFields T>
inline constexpr bool lists_every_field = std::tuple_size_v<std::remove_cv_t<decltype(Fields<T>::list)>> ==
                                          fields_detail::members<T>();

}  // namespace evident
