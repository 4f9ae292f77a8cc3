// Newton's method with damped steps: gets to the top of ridges, also bent ones, on which other climbs stop early.
//
//   const Climb top = newton_climb(density, z, value, widths, 2000);
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "scout/climb.hpp"
#include "scout/log_density.hpp"

namespace evident {

/// From z, where the log density is `value`, uphill until a step gains next to nothing, or `most` evaluations are
/// spent. It ends where it is, and has not converged, where differences do not exist.
Climb newton_climb(const LogDensity& density, std::vector<double> z, double value, std::span<const double> widths,
                   std::size_t most);

}  // namespace evident
