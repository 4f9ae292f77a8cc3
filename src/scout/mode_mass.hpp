// How much of the posterior is around each mode: by draws around it, and which draws of a run are there.
//
//   const ModeRegions regions(found.modes);
//   const std::vector<std::size_t> nearest = regions.assign(z);   // nearest[i]: the mode that column i of z belongs to
//
// Laplace's method takes a mode for a normal density. Draws from a t density with its curvature, weighted, do not.
#pragma once

#include <cstddef>
#include <vector>

#include "dist/fitted_mixture.hpp"
#include "scout/log_density.hpp"
#include "scout/scout.hpp"

namespace evident {

/// Tails of a component at a mode: heavier than those of nearly every posterior.
inline constexpr double kModeFreedom = 5;

/// Space in parts, one around each mode: a point belongs to the mode whose t density, weighted by its mass, is highest
/// there. Every mode must have a curvature.
class ModeRegions {
 public:
  explicit ModeRegions(const std::vector<Mode>& modes);
  std::vector<std::size_t> assign(ConstBlock z) const;

 private:
  FittedMixture mixture_;
};

/// Could draws around them weigh the modes that matter? Where they could not, a mode is no bell, and the posterior may
/// reach far beyond it.
bool draws_fit(const std::vector<Mode>& modes);

/// Sets `drawn_mass` of the modes that hold at least a hundredth of the mass of the largest, by weighted draws around
/// each; of the 16 largest, where they are more. Draws that belong to another mode count as nothing, so that no mass
/// counts twice.
void weigh_by_draws(std::vector<Mode>& modes, const LogDensity& density, const Context& context);

}  // namespace evident
