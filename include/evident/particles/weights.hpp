// Normalised weights, kept as logarithms and as numbers, with the two effective sample sizes of the paper.
//
//   Weights w(1000);                        // all equal
//   double log_ratio = w.absorb(l, 0.01).log_ratio;   // W_i <- W_i exp(0.01 l_i), normalised again
#pragma once

#include <cstddef>
#include <span>

#include "evident/base/block.hpp"

namespace evident {

/// What absorbing incremental weights w_i = exp(delta l_i) told.
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

/// Conditional ESS as a share of N for incremental weights exp(delta l_i):
/// (sum W_i w_i)^2 / sum W_i w_i^2 (paper, section 3.3.2).
double cess(std::span<const double> weights, std::span<const double> l, double delta);
/// ESS as a share of N after multiplying the weights by exp(delta l_i).
double ess_after(std::span<const double> weights, std::span<const double> l, double delta);
/// Mean and variance under the weights; -inf and NaN when a particle of positive weight has l = -inf.
struct Moments {
  double mean, variance;
};
Moments weighted_moments(std::span<const double> weights, std::span<const double> l);

}  // namespace evident
