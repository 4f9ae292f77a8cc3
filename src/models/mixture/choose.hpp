// Which component an observation comes from.
#pragma once

#include <cstddef>
#include <numeric>
#include <span>

namespace evident::mixture {

/// The component in whose share of the weights u lies, for u in (0, 1).
inline std::size_t choose(std::span<const double> weights, double u) {
  double rest = u * std::accumulate(weights.begin(), weights.end(), 0.0);
  std::size_t last = 0;
  for (std::size_t j = 0; j < weights.size(); ++j) {
    if (weights[j] <= 0) continue;
    last = j;
    if (rest < weights[j]) break;
    rest -= weights[j];
  }
  return last;
}

}  // namespace evident::mixture
