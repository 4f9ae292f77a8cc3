// The harmonic mean estimator (Newton and Raftery 1994) and that of Gelfand and Dey (1994), from posterior draws.
//
//   const HarmonicMeanRun run = harmonic_mean(model, {}, context);
//   run.gelfand_dey.value;
//
// Harmonic mean: 1 / p(y) = E[1 / p(y | theta)] over the posterior. Its variance is infinite for most models, and it
// hardly notices the prior; it is here because it is widely used.
//
// Gelfand and Dey: 1 / p(y) = E[f(theta) / (p(y | theta) p(theta))] for any normalised density f inside the posterior.
// Here f is a normal distribution of z, fitted to one half of the chains, cut to the ellipsoid that holds `coverage` of
// it (Geweke 1999) and to where the posterior density is not below that of the lowest tenth of the draws (Sims,
// Waggoner and Zha 2008), and normalised for both cuts, the second by drawing from f. The ratio is then bounded. The
// other half of the chains gives the estimate; then the halves change places, and the average is taken.
//
// Limits: the fit has one mode. With several (labels that can be exchanged) little of f lies where the posterior is,
// which `overlap` shows and a warning says; and all rests on chains that visit each mode as often as they should.
#pragma once

#include <string>
#include <vector>

#include "baseline/posterior_chain.hpp"
#include "evident/base/estimate.hpp"

namespace evident {

struct HarmonicMeanRun {
  Estimate harmonic_mean = {}, gelfand_dey = {};  ///< of the log evidence
  double inside = 0;     ///< share of the draws in the region; nearly `coverage` when the fit is good
  double overlap = 0;    ///< share of the normal in the ellipsoid that is in the region
  double effective = 0;  ///< effective number of draws of Gelfand and Dey's mean, autocorrelation not counted
  double effective_harmonic = 0;
  Population draws;  ///< from the posterior, equally weighted
  std::size_t evaluations = 0, nan_evaluations = 0;
  std::vector<std::string> warnings = {};
};

/// `coverage` lies between 0 and 1. Standard errors are batch means over chains.
HarmonicMeanRun harmonic_mean(const Model& model, const PosteriorChainOptions& options, const Context& context,
                              double coverage = 0.8);

}  // namespace evident
