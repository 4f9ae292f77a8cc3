// The variance of the log evidence from one run, by its families of particles (docs/variance.md).
//
//   const Run run = direct_evidence(*model, {.particles = 1000}, context);
//   const EvidenceVariance v = evidence_variance(run.trace);
//   v.standard_error(); v.coalesced;
#pragma once

#include <array>
#include <cstddef>

#include "evident/base/log_math.hpp"
#include "evident/path/trace.hpp"
#include "particles/genealogy.hpp"

namespace evident {

/// With fewer effective Eves than this a standard error from them is off by a fifth or more, and soon means nothing.
inline constexpr double kFewestEves = 10;
/// Resamplings that fixed-lag estimates look back by default.
inline constexpr std::size_t kLag = kLags;

/// Estimates of Var(Z-hat) / Z^2, which is the variance of the log evidence when it is small. Sampling noise can make
/// them negative. NaN when the run kept no genealogy.
struct EvidenceVariance {
  double chan_lai = kNaN;                     ///< squared families, first order in 1/N
  double lee_whiteley = kNaN;                 ///< unbiased for multinomial resampling without adaptation
  std::array<double, kLags + 1> fixed_lag{};  ///< [L]: what a particle did more than L resamplings later is forgotten
  double chains = kNaN;                       ///< of waste-free runs, which have only this one: summed over the steps
  double of_share = 0;  ///< of the share of the prior that is possible, where its draws were more than the particles
  std::size_t resamplings = 0;
  std::size_t eves = 0;       ///< distinct Eves left at the end
  double effective_eves = 0;  ///< 1 / sum of their squared weights
  bool coalesced = false;     ///< fewer than kFewestEves: estimates by Eves mean nothing

  /// The one to use, the larger of two: the estimate by Eves is noisy once they are few, the one with a fixed lag is
  /// steady and too small when moves mix slowly. Of a waste-free run the one by chains. With that of the share.
  double relative_variance() const;
  /// Of the log evidence: sqrt(log(1 + relative variance)), which is right for a log-normal Z-hat. NaN when the
  /// variance came out negative: then the run cannot tell.
  double standard_error() const;
};

EvidenceVariance evidence_variance(const Trace& trace);

}  // namespace evident
