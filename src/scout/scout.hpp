// The modes of a posterior, found by local optimisation from starts that are spread over the prior.
//
//   const Scouted found = scout(*model, {}, context);
//   found.modes.size();                         // the highest mass first
//   found.modes.front().log_mass;               // by Laplace's method
//   found.unseen();                             // at most this share of the starts would lead to a mode not seen yet
//
// A path of powers of the likelihood starts at the prior, and loses narrow modes on the way: at a high temperature a
// wide mode holds nearly all particles, whatever the masses are at the end. An optimiser has no such preference, and
// costs little. It sees modes, not mass: a plateau, or a tail far from every mode, is found by sampling alone.
//
// All is done on the unconstrained scale z, with the density of z. The same modes for any number of threads.
#pragma once

#include <cstddef>
#include <vector>

#include "evident/base/context.hpp"
#include "evident/base/estimate.hpp"
#include "evident/base/log_math.hpp"
#include "evident/model/model.hpp"

namespace evident {

struct ScoutOptions {
  std::size_t most = 20'000;        ///< evaluations; a gradient counts as one
  std::size_t most_of_several = 0;  ///< where several modes were found, if that is more
  /// Where several were found, most climbs end at known ones, and it is not `enough` yet: if that is more.
  std::size_t most_until_enough = 0;
  std::size_t most_starts = 400;
  /// Where fewer than half of the starts are possible: at most so many further draws of the prior, beyond `most`.
  std::size_t most_draws = 0;
  double enough = 0.02;               ///< starts end when at most this share of them would lead to an unseen mode
  double enough_of_several = 0.0075;  ///< where several modes were found
};

struct Mode {
  std::vector<double> z = {};
  double log_density = -kInf;  ///< prior with Jacobian, times likelihood
  /// Lower triangle, row-major: root root' is the inverse of the curvature. Empty where the curvature is not known.
  std::vector<double> root = {};
  double log_mass = kNaN;    ///< by Laplace's method; NaN without a root
  Estimate drawn_mass = {};  ///< logarithm; by draws around the mode; unknown where they say too little
  std::size_t hits = 0;      ///< starts that ended here
};

struct Scouted {
  std::vector<Mode> modes = {};  ///< the highest mass first
  std::size_t starts = 0;
  std::size_t evaluations = 0;  ///< gradients included
  double possible = 1;          ///< share of the points tried as starts at which the likelihood is not zero
  bool ended_early = false;     ///< the budget ended before the starts were enough

  std::size_t seen_once() const;  ///< modes that one start found
  /// Good and Turing: about this share of further starts would lead to a mode not seen yet, seen_once / starts.
  double likely_unseen() const;
  /// Its upper bound with 95 % confidence, as for a Poisson count.
  double unseen() const;
};

/// Throws RunError when asked to stop.
Scouted scout(const Model& model, const ScoutOptions& options, const Context& context);
/// The `keep` densest of so many draws from the prior, one a column of z; fewer where fewer are possible. Where the
/// likelihood is flat but for a spike, only many draws can meet it.
BlockStorage highest_draws(const Model& model, std::size_t draws, std::size_t keep, const Context& context);
/// Climbs from places where a run has been, one a column of z. What they find joins the modes, with a mass; they are no
/// random starts, so they count as no hits.
void scout_from(const Model& model, ConstBlock z, Scouted& found, const Context& context);

}  // namespace evident
