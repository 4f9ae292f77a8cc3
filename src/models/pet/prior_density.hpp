// The prior density of all parameters in one pass: what the parameter space says one by one, in a third of the time.
#pragma once

#include <span>
#include <vector>

#include "evident/base/block.hpp"
#include "evident/models/pet/options.hpp"

namespace evident::pet {

struct PriorDensity {
  explicit PriorDensity(const PetOptions& options);

  std::size_t m;
  std::vector<PetBounds> phi, theta;
  bool has_precision, has_nu;
  double shape, scale;  ///< of the gamma prior of lambda
  double log_constant;  ///< all that does not depend on the parameters
};

/// out[i] = log prior density of column i; -inf outside the support.
void log_density(const PriorDensity& prior, ConstBlock parameters, std::span<double> out);

}  // namespace evident::pet
