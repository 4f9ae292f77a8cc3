// A mixture of multivariate Student t components that is cheap enough to be fitted again and again, some thousand times
// a second. FittedMixture (dist/fitted_mixture.hpp) fits better and takes longer.
//
// The degrees of freedom are fixed and even, so that their chi squared is the logarithm of a product of uniforms.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "evident/base/block.hpp"
#include "evident/base/random.hpp"

namespace evident {

class QuickMixture {
 public:
  static constexpr std::size_t kMostRows = 64;  ///< dimensions: their pointers fit on the stack
  static constexpr std::size_t kPairs = 3;
  static constexpr double kFreedom = 2.0 * kPairs;

  explicit QuickMixture(std::size_t dimension) : d_(dimension) {}

  std::size_t dimension() const { return d_; }
  std::size_t size() const { return components_.size(); }
  double weight(std::size_t k) const { return components_[k].weight; }
  void scale_weights(double factor);
  void set_weight(std::size_t k, double weight);  ///< 0 makes its density 0

  /// One more component; root is lower triangular, row-major.
  void add(double weight, std::vector<double> mean, std::vector<double> root);

  /// Row k of `out`: log of weight times density of component k. `square`, where it has rows, gets squared distances.
  void log_parts(ConstBlock z, Block out, Block square) const;

  /// Draws of component k, one for each column of `noise`, which holds standard normals; `wide` one factor each. All
  /// of them start at a multiple of kLane.
  void draw(std::size_t k, ConstBlock noise, const double* wide, Block out) const;
  /// Column i alone.
  void draw_one(std::size_t k, ConstBlock noise, double wide, std::size_t i, Block out) const;
  /// The factors of `n` draws: sqrt(df / chi squared).
  static void fill_wide(const Streams& streams, DrawIdentity id, std::size_t n, double* out);

  /// As many components as asked for, or fewer, that fit weighted points: centres are spread over them, then EM.
  static QuickMixture around(ConstBlock z, std::span<const double> weights, std::size_t components, Stream& random);
  /// One round of EM on weighted points. Components that hold too few of them are dropped.
  void improve(ConstBlock z, std::span<const double> weights);

 private:
  struct Component {
    double weight = 1, log_density = 0;  ///< weight included, at the centre
    std::vector<double> root, inverse;   ///< of the scale
    BlockStorage centre;                 ///< rows of constants: the mean
    std::vector<double> offset;          ///< - inverse x mean
  };
  std::size_t d_;
  std::vector<Component> components_;
};

/// Mean and covariance (lower triangle, row-major) of weighted points; weights sum to one.
struct PointMoments {
  std::vector<double> mean, second;
  double effective = 0;  ///< points that the weights are worth
};
PointMoments point_moments(ConstBlock z, std::span<const double> weights);

}  // namespace evident
