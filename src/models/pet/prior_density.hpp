// The prior density of all parameters in one pass: what the parameter space says one by one, in a third of the time.
#pragma once

#include <span>
#include <vector>

#include "evident/base/block.hpp"
#include "models/pet/options.hpp"

namespace evident::pet {

struct PriorDensity {
  explicit PriorDensity(const PetOptions& options);

  std::size_t m;
  std::vector<PetBounds> phi, theta;
  bool has_precision, has_nu;
  double shape, scale;        ///< of the gamma prior of lambda
  double log_constant;        ///< all that does not depend on the parameters
  std::vector<char> follows;  ///< theta_d begins where the rate before it ends
};

/// out[i] = log prior density of column i; -inf outside the support.
void log_density(const PriorDensity& prior, ConstBlock parameters, std::span<double> out);

/// Whether `constrain` below can do these options: phi and theta are all there is, and move on the logit scale between
/// the bounds of their priors.
bool constrains_in_one_pass(const PetOptions& options);
/// As QuickModel::constrain. A uniform prior cancels the width in the Jacobian of the logit scale, and what is left of
/// all parameters is multiplied, so that two logarithms are enough.
void constrain(const PriorDensity& prior, ConstBlock z, Block theta, std::span<double> log_prior,
               std::span<double> log_jacobian);

}  // namespace evident::pet
