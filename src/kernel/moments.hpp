// Weighted moments of some coordinates, and a root of their covariance that always exists.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "evident/particles/population.hpp"

namespace evident {

/// Lower triangular L, row-major, with L L' = weighted covariance of the rows of z. When the covariance is degenerate
/// (few distinct particles, a constant coordinate) the correlations are shrunk until L exists.
std::vector<double> covariance_root(const Population& x, std::span<const std::size_t> rows);

}  // namespace evident
