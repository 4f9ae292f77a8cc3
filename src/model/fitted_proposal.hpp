// Densities fitted to draws on the scale of their quantiles, where no tail is heavy.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <span>
#include <vector>

#include "evident/base/block.hpp"
#include "evident/base/random.hpp"

namespace evident {

/// Each coordinate by itself: equally probable cells between quantiles of the draws, with tails as heavy as Cauchy's.
/// Nearly exact for independent parameters of any shape.
class CellProposal {
 public:
  explicit CellProposal(ConstBlock draws);
  double draw(Stream& random, std::span<double> z) const;  ///< returns the log density
  double log_density(std::span<const double> z) const;

  /// A coordinate and where it is: the share of its distribution below, and the log density there.
  struct Place {
    double z, share, log_density;
  };
  Place at_share(std::size_t j, double share) const;
  Place at(std::size_t j, double z) const;
  std::size_t size() const { return axes_.size(); }

 private:
  struct Axis {
    std::vector<double> edges;
    double below, above;  ///< scales of the tails
  };
  std::vector<Axis> axes_;
};

/// The same cells for the shape of each coordinate; their normal scores are correlated as those of the draws are.
/// Nearly exact for correlated normal parameters, and for those that each became another shape.
class ScoreProposal {
 public:
  ScoreProposal(const CellProposal& cells, ConstBlock draws);
  bool usable() const { return usable_; }
  double draw(Stream& random, std::span<double> z) const;  ///< returns the log density
  double log_density(std::span<const double> z) const;

 private:
  CellProposal cells_;
  Eigen::MatrixXd root_;  ///< of the covariance of the scores
  double log_constant_ = 0;
  bool usable_ = false;
};

}  // namespace evident
