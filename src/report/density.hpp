// Smooth densities of posterior and prior draws of one parameter, on points that suit both.
#pragma once

#include <span>
#include <vector>

namespace evident::report {

struct DensityCurves {
  std::vector<double> x = {};
  std::vector<double> posterior = {};
  std::vector<double> prior = {};      ///< empty when there are no prior draws
  double near_low = 0, near_high = 0;  ///< where the posterior is
  double wide_low = 0, wide_high = 0;  ///< where most of the prior is, too
};

/// Of draws with equal weights. A sharp end of the prior (a bound) stays sharp: what a kernel spreads over it comes
/// back. Empty when the posterior draws do not differ or are not finite.
DensityCurves density_curves(std::span<const double> posterior, std::span<const double> prior);

}  // namespace evident::report
