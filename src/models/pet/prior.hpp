// The prior of the compartment model: ordered rates.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "evident/base/block.hpp"
#include "evident/model/parameters.hpp"
#include "models/pet/options.hpp"

namespace evident::pet {

/// Throws InputError, naming the option, when the options make no prior.
void check(const PetOptions& options);

/// Parameters in order. theta_d ~ uniform(theta_(d-1), upper_d), or a plain uniform where the bounds cannot cross.
ParameterSpace make_parameters(const PetOptions& options);

/// Whether theta_d begins at the rate before it.
bool rate_follows(const PetOptions& options, std::size_t d);

/// A rate whose own lower bound may lie above the rate before it. uniform(theta_(d-1), upper) cannot say that, so
/// draws and densities of the parameter space are mended for these.
struct RaisedBound {
  std::size_t row;  ///< of theta_d
  PetBounds bounds;
};
std::vector<RaisedBound> raised_bounds(const PetOptions& options);
/// Rates drawn by the parameter space, from theta_first on; made to obey the raised bounds.
void mend_draws(const PetOptions& options, Block theta);
void mend_log_density(std::span<const RaisedBound> raised, ConstBlock theta, std::span<double> out);

}  // namespace evident::pet
