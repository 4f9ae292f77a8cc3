// The particles of a run: what is carried from step to step.
//
//   Population particles(*model, 1000);
//   double mean = 0;
//   for (std::size_t i = 0; i < particles.size(); ++i) mean += particles.weights.values()[i] * particles.theta(0, i);
//
// They may be spread over the ranks of a team. Each rank then has room for all of them, but knows z, theta, log_prior
// and log_jacobian of its own blocks only; log likelihoods and weights, one number a particle, are the same everywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "evident/base/block.hpp"
#include "evident/base/context.hpp"
#include "evident/model/model.hpp"

namespace evident {

struct BlockPartition;

enum class ResampleScheme { multinomial, residual, stratified, systematic, residual_stratified };

/// What absorbing incremental weights w_i = exp(delta l_i) gives.
struct Absorbed {
  double log_ratio;  ///< log sum W_i w_i
  double cess;       ///< conditional ESS as a share of N
};

class Weights {
 public:
  Weights() = default;
  explicit Weights(std::size_t n) { reset(n); }

  std::size_t size() const { return log_.size(); }
  std::span<const double> log() const { return log_; }
  std::span<const double> values() const { return values_; }

  /// All equal to 1/n.
  void reset(std::size_t n);
  /// Multiplies weight i by exp(delta l_i) and normalises. NaN counts as -inf. When every particle has l = -inf the
  /// ratio is -inf and the weights are left as they were.
  Absorbed absorb(std::span<const double> l, double delta);

  /// Effective sample size as a share of N: 1 / (N sum W_i^2).
  double ess() const { return ess_; }

 private:
  friend struct ParticleBytes;
  AlignedVector<double> log_, values_, work_;
  double ess_ = 1;
};

/// The log likelihoods parted in two where that explains most of their variance (Otsu 1979), on a histogram.
struct TwoGroups {
  double upper = 0;     ///< weight of the upper group
  double distance = 0;  ///< of the two means, in root mean square standard deviations of the groups
  double valley = 1;    ///< lowest density between the two peaks, as a share of the lower peak

  /// Two groups with little between them, each with a part of the weight that noise cannot make. One group of any
  /// common shape has a distance of 2.6 to 4 and a valley above 0.5.
  bool apart() const { return distance > 3 && valley < 0.3 && upper > 0.03 && upper < 0.97; }
};

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

struct Population {
  Population(const Model& model, std::size_t n);

  std::size_t size() const { return weights.size(); }

  BlockStorage z;                      ///< unconstrained coordinates
  BlockStorage theta;                  ///< the same points as the model knows them
  AlignedVector<double> log_prior;     ///< density of z: prior(theta) |dtheta/dz|
  AlignedVector<double> log_jacobian;  ///< log |dtheta/dz|
  AlignedVector<double> log_likelihood;
  Weights weights;
  Genealogy genealogy;    ///< of runs that start one
  std::size_t chain = 0;  ///< waste-free runs: so many neighbours are states of one chain; 0 in other runs
  std::shared_ptr<BlockPartition> partition = {};  ///< over the ranks of a team; null: all the particles are here

  /// The blocks of this rank.
  std::size_t first_block() const;
  std::size_t last_block() const;
  /// Makes all ranks know the log likelihoods of all particles.
  void gather_log_likelihood();
  /// Makes all ranks know all particles; they are not partition any more.
  void gather();

  /// Particle `at` becomes a copy of a particle of another population of the same model.
  void copy_from(const Population& from, std::size_t column, std::size_t at);
  /// Becomes the particles `columns` of another population of the same model, with equal weights.
  void assign(const Population& from, std::span<const std::uint32_t> columns);
  /// Replaces particle i by particle parents[i] and makes all weights equal; there may be fewer of them afterwards.
  /// Where the particles are partition, each rank gets those that it lacks, each once, from the ranks that have them.
  void select(std::span<const std::uint32_t> parents);

 private:
  void select_spread(std::span<const std::uint32_t> parents);
};

}  // namespace evident
