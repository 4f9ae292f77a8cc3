// Who descends from whom: what one run can tell of its own error.
//
// A family is all particles with the same ancestor: their first particle (Eve), or their ancestor a few resamplings
// back. When few families hold most of the weight, the estimate of the evidence rests on few independent draws.
// docs/variance.md says how the numbers below become a variance.
//
//   Genealogy g;
//   g.start(1000);
//   g.resampled(ResampleScheme::stratified, weights, parents);   // before the particles are replaced
//   std::vector<Generation> told = g.finish(weights);            // one entry per resampling, and one for the end
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "evident/particles/resample.hpp"

namespace evident {

/// How many resamplings back lines are followed, besides the line to Eve.
inline constexpr std::size_t kLags = 10;

/// Families of one kind, at the end of a generation.
struct Families {
  double squares = 1;    ///< sum over families of their squared weight
  double spread = 0;     ///< sum over the resamplings since of sum_k Var(children of family k) / N^2
  double log_pairs = 0;  ///< sum over the resamplings since of -log(share of pairs of two families that they keep)
};

/// From one resampling to the next. The numbers are those just before the next one, or at the end of the run.
struct Generation {
  std::vector<Families> back;  ///< [d]: by the ancestor d resamplings back; back[0] are the particles themselves
  Families eve;
  std::size_t eves = 0;  ///< distinct Eves of particles of positive weight
};

class Genealogy {
 public:
  /// n first particles, each its own Eve. Without a start nothing is recorded.
  void start(std::size_t n);
  /// Particle i is about to be replaced by particle parents[i].
  void resampled(ResampleScheme scheme, std::span<const double> weights, std::span<const std::uint32_t> parents);
  /// Ends the last generation and forgets the lines. Empty when nothing was started.
  std::vector<Generation> finish(std::span<const double> weights);

  std::span<const std::uint32_t> eves() const { return eve_.ancestor; }

 private:
  friend struct ParticleBytes;
  struct Line {
    std::vector<std::uint32_t> ancestor;
    double spread = 0, log_pairs = 0;
  };
  void close(std::span<const double> weights);

  Line eve_;
  std::deque<Line> back_;  ///< [d]: d + 1 resamplings back
  std::vector<Generation> generations_;
};

/// sum_k Var(number of children of family k) over the N = weights.size() draws of a scheme, given the weights.
/// `family[i]` is below N. Schemes that keep the order are taken to find each family in one piece.
double spread_of_children(ResampleScheme scheme, std::span<const double> weights,
                          std::span<const std::uint32_t> family);

}  // namespace evident
