// The fields of what a result says in a line: a parameter, a reason (base/fields.hpp).
#pragma once

#include "base/fields.hpp"
#include "evident/compare/compare.hpp"

namespace evident {

template <>
struct Fields<ParameterSummary> {
  using T = ParameterSummary;
  static constexpr auto list =
      std::tuple(field("name", &T::name), field("mean", &T::mean), field("sd", &T::sd), field("q05", &T::q05),
                 field("q25", &T::q25), field("q50", &T::q50), field("q75", &T::q75), field("q95", &T::q95));
};
static_assert(lists_every_field<ParameterSummary>);

template <>
struct Fields<Reason> {
  static constexpr auto list =
      std::tuple(field("code", &Reason::code), field("level", &Reason::level), field("text", &Reason::text));
};
static_assert(lists_every_field<Reason>);

}  // namespace evident
