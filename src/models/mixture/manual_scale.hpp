// The hand-set proposal scales of Zhou, Johansen and Aston (2016) for the mixture of normal distributions.
//
//   kernel.manual = [](std::size_t j, double alpha) { return mixture_manual_scale(4, j, alpha); };
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace evident {

/// Standard deviation of the proposal of row j of z at alpha, for k components. Rows: mu, log lambda (k of each), then
/// the weights.
inline double mixture_manual_scale(std::size_t k, std::size_t j, double alpha) {
  const double a = std::max(alpha, 0.05);
  if (j < k) return 0.15 / a;
  return (j < 2 * k ? 0.15 : 0.2) * (1 + 1 / std::sqrt(a));
}

}  // namespace evident
