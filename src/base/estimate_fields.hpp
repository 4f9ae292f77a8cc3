// The fields of estimates and intervals (base/fields.hpp).
#pragma once

#include "base/fields.hpp"
#include "evident/base/estimate.hpp"

namespace evident {

template <>
struct Fields<Estimate> {
  using T = Estimate;
  static constexpr auto list =
      std::tuple(field("value", &T::value), field("standard_error", &T::standard_error), field("degrees", &T::degrees),
                 field("error_below", &T::error_below), field("error_above", &T::error_above));
};
static_assert(lists_every_field<Estimate>);

template <>
struct Fields<Interval> {
  static constexpr auto list = std::tuple(field("lower", &Interval::lower), field("upper", &Interval::upper));
};
static_assert(lists_every_field<Interval>);

}  // namespace evident
