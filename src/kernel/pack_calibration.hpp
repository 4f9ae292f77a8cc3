// Calibrations of kernels and fitted mixtures to bytes and back, to the last bit (base/pack_fields.hpp).
#pragma once

#include <memory>

#include "base/pack_fields.hpp"
#include "dist/fitted_mixture.hpp"
#include "evident/kernel/kernel.hpp"

namespace evident {

/// A fit that may be there or not. Throws RunError when the bytes are none.
void put_value(Packer& out, const std::shared_ptr<const FittedMixture>& fit);
void get_value(Unpacker& in, std::shared_ptr<const FittedMixture>& fit);

template <>
struct Fields<Marginal> {
  using T = Marginal;
  static constexpr auto list = std::tuple(field("centre", &T::centre), field("scale", &T::scale),
                                          field("bent", &T::bent), field("skew", &T::skew), field("tail", &T::tail));
};
static_assert(lists_every_field<Marginal>);

template <>
struct Fields<MixtureComponent> {
  using T = MixtureComponent;
  static constexpr auto list =
      std::tuple(field("weight", &T::weight), field("df", &T::df), field("mean", &T::mean), field("root", &T::root));
};
static_assert(lists_every_field<MixtureComponent>);

template <>
struct Fields<Calibration::Group> {
  using T = Calibration::Group;
  static constexpr auto list = std::tuple(field("mean", &T::mean), field("root", &T::root), field("scale", &T::scale),
                                          field("fit", &T::fit), field("share", &T::share));
};
static_assert(lists_every_field<Calibration::Group>);

template <>
struct Fields<Calibration> {
  static constexpr auto list = std::tuple(field("groups", &Calibration::groups), field("passes", &Calibration::passes));
};
static_assert(lists_every_field<Calibration>);

}  // namespace evident
