// The first particles of a run: draws from the prior or the initial distribution, of which enough should be possible.
//
// Where fewer than half of N draws are possible, impossible ones are replaced by further draws that are. With p the
// share of draws that are possible, the evidence is p times the mean likelihood of possible draws, and both are
// estimated without bias whatever p is. docs/impossible.md derives it.
//
//   FirstParticles first = draw_initial(model, options, context, count);
//   first.x;              // N particles; impossible ones are left only where the draws ended before enough were found
//   first.log_factor;     // goes into the evidence, so that what the weights of x show of p becomes its estimate
#pragma once

#include <cstddef>

#include "evident/base/context.hpp"
#include "evident/model/model.hpp"
#include "evident/particles/population.hpp"
#include "evident/path/target.hpp"
#include "evident/path/trace.hpp"
#include "evident/smc/sampler.hpp"

namespace evident {

/// What becomes of a run that finds no possible draw.
enum class WhenNone {
  fail,           ///< RunError: an adaptive run has nothing to adapt to. It may make four times as many draws
  evidence_is_0,  ///< one of several frozen runs: that is its estimate, and without it their mean would be too high
};

/// When draws end: when as many as the particles are possible; after `soft` draws, when `enough` are; after `hard`,
/// when `least` are; after `last`.
struct DrawLimits {
  std::size_t particles = 0, soft = 0, enough = 0, hard = 0, least = 0, last = 0;
  /// Those of so many particles, with at most `most` draws.
  static DrawLimits of(std::size_t particles, std::size_t most, WhenNone when_none = WhenNone::evidence_is_0);
  bool reached(std::size_t made, std::size_t possible) const;
  /// Was the last draw a possible one, because it had to be for the draws to end there?
  bool ended_by_possible(std::size_t made, std::size_t possible) const;
};

/// The unbiased estimate of the share of possible draws, given what the draws ended with. The first `particles` draws
/// were made in any case, and ended it where half of them or more were possible.
double share_of_possible(const DrawLimits& limits, std::size_t made, std::size_t possible);

struct FirstParticles {
  Population x;
  FirstDraws draws = {};
  double log_factor = 0;  ///< 0 where no draw was replaced
  bool any_possible() const { return draws.possible > 0; }
};

/// From the model's initial distribution, with prior and likelihood evaluated.
/// Throws RunError when none is possible and the run is to fail then.
FirstParticles draw_initial(const Model& model, const SmcOptions& options, const Context& context,
                            EvaluationCount& count, WhenNone when_none = WhenNone::fail);
/// From the prior, whatever initial distribution the model has.
FirstParticles draw_prior(const Model& model, const SmcOptions& options, const Context& context, EvaluationCount& count,
                          WhenNone when_none);

}  // namespace evident
