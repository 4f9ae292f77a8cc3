// Log likelihoods continued to points where they are not known, from those where they are.
//
//   const Continuation c(known, weights, log_likelihood);
//   c.most_at(z);  // the log likelihood there is hardly larger
//
// Two ways, and the lower of both counts. The highest likelihood among the nearest known points, by distances in
// standard deviations of the weighted points: no peak is made up, but a slope is not followed. And a parabola fitted to
// the log likelihoods of the weighted points, plus two standard deviations of what it leaves unexplained: it follows
// slopes. It is right for every normal likelihood, whatever part of it is known, because a regression of l on z does
// not depend on which z there are. Nothing is continued to points twice as far from the middle as nearly all of the
// weight: in many coordinates the nearest of few points are no neighbours.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "evident/base/block.hpp"
#include "evident/base/log_math.hpp"

namespace evident {

class Continuation {
 public:
  /// The columns of `known`, one point each, with their log likelihoods. `weights` of the posterior: the parabola is
  /// fitted to those that have one.
  Continuation(ConstBlock known, std::span<const double> weights, std::span<const double> log_likelihood);

  /// Of column i of z; -kInf where it is far away.
  double most_at(ConstBlock z, std::size_t i) const;
  /// What the parabola alone says, two standard deviations included; kInf when too few points carry it.
  double parabola_at(ConstBlock z, std::size_t i) const;

 private:
  /// Coordinates in standard deviations: the correlations are taken out.
  void whiten(ConstBlock z, std::size_t i, double* x) const;
  void features(const double* x, double* out) const;
  std::size_t feature_count() const;
  void fit(std::span<const double> weights);
  void find_far(std::span<const double> weights);
  double nearest(const double* x) const;

  std::size_t d_;
  std::vector<double> mean_, inverse_, points_, log_likelihood_;  ///< points_: whitened, one after another
  std::vector<double> coefficients_;                              ///< empty: no parabola
  bool mixed_ = true;                                             ///< with products of two coordinates
  double margin_ = 0, far_ = kInf;
};

}  // namespace evident
