// The hand-set proposal scales of Zhou, Johansen and Aston (2016) for the compartment model.
//
//   kernel.manual = [](std::size_t j, double alpha) { return pet_manual_scale(2, j, alpha); };
#pragma once

#include <cstddef>

namespace evident {

/// Standard deviation of the proposal of row j of z at alpha. Rows: phi, theta (m of each), log lambda, log inverse_nu.
inline double pet_manual_scale(std::size_t m, std::size_t j, double alpha) {
  if (j < m) return (j == 0 ? 5e-4 : 1e-3) * 30 / (1 + 30 * alpha);
  if (j < 2 * m) return (j == m ? 5e-5 : 1e-2) * 5 / (1 + 5 * alpha);
  return 0.3 * 80 / (1 + 20 * alpha);
}

}  // namespace evident
