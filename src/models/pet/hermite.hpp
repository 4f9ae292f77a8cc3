// Where a rate falls in a convolution table: the node below it and the four weights of the cubic.
#pragma once

#include <algorithm>
#include <cstddef>

#include "models/pet/convolution_table.hpp"

namespace evident {

struct Hermite {
  const double* node;  ///< value and slope of the node below, then those of the node above
  double weight[4];
};

/// The plain form of what the kernels do for many particles at once. `theta` must be covered.
inline Hermite hermite_at(const ConvolutionTable& table, double theta) {
  const double position = (octave_position(theta) - table.first_octave()) * table.nodes_per_octave();
  const std::size_t below = std::min(static_cast<std::size_t>(std::max(position, 0.0)), table.node_count() - 2);
  const double s = position - static_cast<double>(below), r = 1 - s;
  return {table.nodes() + below * 2 * table.width(), {(1 + 2 * s) * r * r, s * r * r, s * s * (3 - 2 * s), -s * s * r}};
}

}  // namespace evident
