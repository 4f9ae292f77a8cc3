// Problems from the literature, with known answers.
#pragma once

#include "problems/problems.hpp"

namespace evident::problems {

/// Beaujean and Caldwell 2013: four modes in the first two coordinates, of log-gamma and normal shape, and the same
/// shapes with one mode in the others, on U(-30, 30)^d.
Problem log_gamma_modes(std::size_t d);
/// Rubin 1981, with mu ~ N(0, 5^2), tau ~ half-Cauchy(5) and the effects as standard normal scores: 10 parameters.
Problem eight_schools();
/// The same schools with one effect for all: 1 parameter.
Problem pooled_schools();

}  // namespace evident::problems
