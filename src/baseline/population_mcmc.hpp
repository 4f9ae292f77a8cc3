// Population MCMC: chains at fixed tempering parameters that exchange their states, and the evidence by path sampling
// (Jasra, Stephens and Holmes 2007; Calderhead and Girolami 2009).
//
//   const PopulationMcmcRun run = population_mcmc(model, {.chains = 30, .iterations = 5000}, context);
//   run.log_evidence.value; run.log_evidence.standard_error;
//
// An iteration moves the chains (all of them, or in serial mode one that is picked at random, the same for all ladders)
// and then tries to exchange neighbours in each ladder. Independent ladders run side by side: chain i of every rung
// belongs to ladder i.
//
// The rung at alpha = 0 is not moved by the kernel but drawn afresh from the prior: nothing mixes better. Kernels, and
// the ladder when it is adaptive, learn during the burn-in and are frozen afterwards, so that what is kept comes from a
// Markov chain with the right invariant distribution.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "evident/base/context.hpp"
#include "evident/base/estimate.hpp"
#include "evident/baseline/options.hpp"
#include "evident/model/model.hpp"
#include "evident/particles/population.hpp"
#include "evident/path/trace.hpp"

namespace evident {

struct PopulationMcmcRun {
  std::vector<double> alphas = {};  ///< of the rungs, from 0 to 1
  /// Of the log likelihood at each rung, over kept iterations and ladders; -inf and NaN where it can be impossible.
  std::vector<double> mean = {}, variance = {};
  std::vector<std::vector<double>> ladder_mean = {};  ///< [ladder][rung]
  std::vector<double> acceptance = {};                ///< of proposals at each rung
  std::vector<double> exchange_acceptance = {};       ///< of rungs c and c+1: mean acceptance probability
  /// Trapezoid rule. The error is from the spread of four or more ladders, otherwise from batch means. It knows nothing
  /// of the error of the trapezoid rule; log_evidence_corrected shows how large that may be.
  Estimate log_evidence = {};
  double log_evidence_corrected = 0;             ///< with the variance correction of Friel, Hurn and Wyse (2014)
  double log_evidence_stepping = 0;              ///< stepping stones (Xie et al. 2011): no discretisation error
  std::vector<double> ladder_log_evidence = {};  ///< trapezoid rule for each ladder
  /// The integral starts at this rung: below it the log likelihood is too wild to integrate, and stepping stones are
  /// used instead (as in evidence/estimate.hpp).
  std::size_t start = 0;
  Trace trace = {};  ///< one step a rung, with mean, variance, acceptance and the stepping stone from the rung before
  Population draws;  ///< at alpha = 1, thinned to at most about 2000, equally weighted
  std::size_t evaluations = 0, nan_evaluations = 0;
  double seconds = 0;
  std::vector<std::string> warnings = {};
};

/// Throws InputError for options out of range (a ladder that is not of a fixed shape, say) and RunError when the run
/// cannot start or is asked to stop.
PopulationMcmcRun population_mcmc(const Model& model, const PopulationMcmcOptions& options, const Context& context);

}  // namespace evident
