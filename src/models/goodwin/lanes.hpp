// What the lanes of the Goodwin solver hold between two steps.
#pragma once

#include "models/goodwin/plan.hpp"

namespace evident::goodwin {

/// Particles under way at once, whatever the width of a vector.
inline constexpr std::size_t kLanes = 8;

struct alignas(64) LaneState {
  double v[kMaxM][kLanes]{};
  double g[kLanes], h[kLanes], left[kLanes];
  double b[kLanes], decay[kLanes], floor[kLanes], steps[kLanes];
};

}  // namespace evident::goodwin
