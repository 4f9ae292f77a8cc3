// Which compartment model, with which noise and priors.
//
//   PetOptions options = zhou2013_n(2);      // the priors of the published simulation, two compartments
//   options.noise = PetNoise::student;
#pragma once

#include <cstddef>
#include <vector>

#include "evident/model/parameters.hpp"

namespace evident {

enum class PetNoise {
  normal,   ///< y_i ~ N(C_i, C_i / (lambda dt_i))
  student,  ///< Student t with nu degrees of freedom around C_i, scale^2 = C_i / (lambda dt_i)
};

struct PetBounds {
  double lower, upper;
};

struct PetOptions {
  std::size_t compartments = 1;
  PetNoise noise = PetNoise::normal;
  /// Uniform priors, in 1/s, one per compartment; the last one serves all compartments that follow. Rates are ordered:
  /// theta_d is uniform from max(theta_(d-1), lower_d) to upper_d.
  std::vector<PetBounds> phi = {{1e-5, 1e-1}};
  std::vector<PetBounds> theta = {{1e-5, 1e-1}};
  /// Decay constant in 1/s when the data are not corrected for decay: V_D = sum phi_d / (theta_d - decay).
  double decay = 0;
  /// lambda ~ Gamma(shape, scale).
  double precision_shape = 0.1, precision_scale = 10;
  /// Normal noise only: lambda is integrated out, so that it is no parameter. Tempering then tempers the integral.
  bool marginal_precision = false;
  /// Normal noise only: the model's own move draws lambda from its gamma conditional.
  bool gibbs_precision = false;
  /// How phi and theta are moved. The logit scale has no rejections at the bounds but costs an exponential each.
  Scale scale = Scale::identity;
  /// A predicted activity below this counts as this much. With 0, a prediction of exactly 0 (an input that is 0 until
  /// after a frame, say) has no density and a log likelihood of -inf. The published model has none.
  /// Measured data need one: before the bolus arrives the prediction is 0 and so is its variance, but the measurement
  /// is not 0, so that this frame alone would decide over the precision of all others.
  double activity_floor = 0;

  PetBounds phi_bounds(std::size_t d) const { return phi[d < phi.size() ? d : phi.size() - 1]; }
  PetBounds theta_bounds(std::size_t d) const { return theta[d < theta.size() ? d : theta.size() - 1]; }
};

/// Priors of Zhou, Aston and Johansen (2013) for the simulated curve: Normal noise, no decay.
PetOptions zhou2013_n(std::size_t compartments);
/// Their priors for measured carbon-11 data: Student t noise, data not corrected for decay. `decay` shifts the lower
/// bounds of the rates.
PetOptions zhou2013_i(std::size_t compartments, double decay = 0.0005668525);

}  // namespace evident
