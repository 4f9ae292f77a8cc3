// BIC and AIC, from the largest likelihood.
//
//   const InformationCriteriaRun run = information_criteria(model, {}, context);
//   run.bic_log_evidence;   // log p(y | best theta) - d/2 log n
//
// The best particles of a short direct run are polished by an optimiser on the unconstrained scale. BIC needs the
// number of observations (Model::observation_count). Neither criterion knows the prior, and both assume a regular model
// with one mode; d is the number of free coordinates.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "evident/base/context.hpp"
#include "evident/model/model.hpp"
#include "evident/particles/population.hpp"
#include "evident/smc/sampler.hpp"

namespace evident {

struct InformationCriteriaOptions {
  SmcOptions search = {.particles = 200, .schedule = CessSchedule{0.9}};
  std::size_t starts = 8;               ///< particles that are polished
  std::size_t max_evaluations = 20000;  ///< of the likelihood, for each start
  /// The optimiser stays within so many standard deviations of the prior's mean, on the unconstrained scale.
  double box_sds = 20;
};

struct InformationCriteriaRun {
  double log_likelihood = 0;       ///< the largest found
  std::vector<double> theta = {};  ///< where
  double bic_log_evidence = 0;
  double aic = 0;          ///< log likelihood - d, on the scale of a log evidence: the larger the better
  bool converged = false;  ///< the optimiser stopped by itself, inside the box
  bool at_box = false;     ///< a coordinate ran off to the bound of the search: flat, or without a maximum
  std::size_t evaluations = 0, nan_evaluations = 0;
  Population draws;  ///< of the short direct run, weighted
  std::vector<std::string> warnings = {};
};

/// Throws InputError when the model does not know its number of observations.
InformationCriteriaRun information_criteria(const Model& model, const InformationCriteriaOptions& options,
                                            const Context& context);

}  // namespace evident
