// Posteriors with several modes, of which a path of powers of the likelihood loses some.
#pragma once

#include <cstdint>
#include <vector>

#include "problems/problems.hpp"

namespace evident::problems {

struct ModesProblem {
  Problem problem;
  std::vector<std::vector<double>> centres;
};

/// Normal modes of equal mass in d dimensions, at U(-40, 40)^d. The eigenvalues of each covariance are 5 times
/// 10^U(-1, 0.3), its axes any. Prior U(-50, 50)^d. Another instance with each number. Has a gradient.
ModesProblem unequal_modes(std::size_t d, std::size_t modes, std::uint64_t instance);
/// Normal modes of equal mass and variance 1.31^2 in two dimensions; else the same.
ModesProblem many_modes(std::size_t modes, std::uint64_t instance);
/// Normal modes of equal mass in d dimensions, with standard deviations 10^U(-0.5, 0.5), one a mode; else the same.
ModesProblem random_modes(std::size_t d, std::size_t modes, std::uint64_t instance);
/// exp(sum of (x/2 + 6x^2 - x^4 - v^2/2)) over `pairs` pairs (x, v), with the prior N(0, 2^2) on each coordinate
/// divided out: 2^pairs modes. Has a gradient.
Problem many_well(std::size_t pairs);
/// N(-3, 0.3^2) and N(3, 0.3^2) in equal parts for each coordinate, on U(-6, 6)^d: 2^d modes. Has a gradient.
Problem signs(std::size_t d);

}  // namespace evident::problems
