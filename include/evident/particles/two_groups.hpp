// Do the log likelihoods of the particles form two heaps? At a first-order phase transition they do.
//
//   const TwoGroups g = two_groups(weights, log_likelihood, weighted_moments(weights, log_likelihood));
//   g.apart();
#pragma once

#include <span>

#include "evident/particles/weights.hpp"

namespace evident {

/// The log likelihoods parted in two where that explains most of their variance (Otsu 1979), on a histogram.
struct TwoGroups {
  double upper = 0;     ///< weight of the upper group
  double distance = 0;  ///< of the two means, in root mean square standard deviations of the groups
  double valley = 1;    ///< lowest density between the two peaks, as a share of the lower peak

  /// Two heaps with little between them, each with a part of the weight that noise cannot make. One heap of any common
  /// shape has a distance of 2.6 to 4 and a valley above 0.5.
  bool apart() const { return distance > 3 && valley < 0.3 && upper > 0.03 && upper < 0.97; }
};

/// Values of -inf are left out. No groups when the moments are not finite (such particles are not settled yet) or when
/// there are fewer than 100 particles.
TwoGroups two_groups(std::span<const double> weights, std::span<const double> log_likelihood, const Moments& moments);

}  // namespace evident
