// The fields of predictions that NAME-predictive.json has as they are (base/fields.hpp).
#pragma once

#include "base/fields.hpp"
#include "report/predictive.hpp"

namespace evident {

template <>
struct Fields<report::Band> {
  using T = report::Band;
  static constexpr auto list = std::tuple(field("q05", &T::q05), field("q25", &T::q25), field("q50", &T::q50),
                                          field("q75", &T::q75), field("q95", &T::q95));
};
static_assert(lists_every_field<report::Band>);

template <>
struct Fields<report::PredictedHistogram> {
  using T = report::PredictedHistogram;
  static constexpr auto list =
      std::tuple(field("edges", &T::edges), field("observed", &T::observed), field("band", &T::band));
};
static_assert(lists_every_field<report::PredictedHistogram>);

template <>
struct Fields<report::PredictiveCheck> {
  using T = report::PredictiveCheck;
  static constexpr auto list =
      std::tuple(field("observed", &T::observed), field("statistic", &T::statistic), field("value", &T::value),
                 field("q05", &T::q05), field("q50", &T::q50), field("q95", &T::q95), field("p_value", &T::p_value));
};
static_assert(lists_every_field<report::PredictiveCheck>);

}  // namespace evident
