// Densities fitted to draws, to integrate another density with.
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
 private:
  struct Axis {
    std::vector<double> edges;
    double below, above;  ///< scales of the tails
  };
  static double draw(const Axis& axis, Stream& random, double& z);
  std::vector<Axis> axes_;
};

/// Student's t with 5 degrees of freedom and the moments of the draws, for correlated parameters.
class StudentProposal {
 public:
  explicit StudentProposal(ConstBlock draws);
  bool usable() const { return usable_; }
  double draw(Stream& random, std::span<double> z) const;  ///< returns the log density

 private:
  Eigen::VectorXd mean_;
  Eigen::MatrixXd root_;
  double log_constant_ = 0;
  bool usable_ = false;
};

}  // namespace evident
