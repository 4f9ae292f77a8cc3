// The curvature of a log density at a mode, by differences over steps that fit its width.
//
//   if (const auto c = curvature(density, mode, value, widths)) log_mass = value + c->log_volume;
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "scout/log_density.hpp"

namespace evident {

struct Curvature {
  std::vector<double> root;  ///< lower triangle, row-major: root root' is the inverse of the curvature
  double log_volume = 0;     ///< of the normal density without its constant: log of (2 pi)^(d/2) |root|
};

/// `value` is the log density at z, `widths` a rough scale of each coordinate. Nothing where the density is not curved
/// downwards in every direction, or not finite nearby.
std::optional<Curvature> curvature(const LogDensity& density, std::span<const double> z, double value,
                                   std::span<const double> widths);

}  // namespace evident
