// Marginals of a fitted mixture: centred and scaled, or bent so that they come near to a normal.
#pragma once

#include <span>

#include "dist/fitted_mixture.hpp"

namespace evident::dist {

/// Mean and standard deviation.
Marginal plain_marginal(std::span<const double> z, std::span<const double> weights);
/// The sinh-arcsinh map under which the weighted values have the highest normal likelihood.
Marginal bent_marginal(std::span<const double> z, std::span<const double> weights);

}  // namespace evident::dist
