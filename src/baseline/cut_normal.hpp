// A normal density fitted to draws of z and cut to where both it and the posterior are high.
//
// The region is an ellipsoid that holds `coverage` of the normal, less the points where the posterior density lies
// below the lowest tenth of the draws (Geweke 1999; Sims, Waggoner and Zha 2008). What is left of the normal is found
// by drawing from it.
#pragma once

#include <Eigen/Cholesky>
#include <vector>

#include "evident/base/context.hpp"
#include "evident/particles/population.hpp"
#include "evident/path/target.hpp"

namespace evident {

class CutNormal {
 public:
  /// Fitted to the columns listed.
  CutNormal(const Population& x, const std::vector<std::size_t>& columns, double coverage, const TemperedTarget& target,
            const Context& context);

  /// Normalised log density of a draw; -inf outside the region.
  double log_density(const Population& x, std::size_t i) const;
  double overlap() const { return overlap_; }              ///< share of the ellipsoid's normal that is in the region
  double overlap_error() const { return overlap_error_; }  ///< its relative standard error

 private:
  void fit(const Population& x, const std::vector<std::size_t>& columns);
  std::size_t count_within(std::size_t block, const Population& like, const TemperedTarget& target,
                           const Streams& streams) const;
  void measure(const Population& like, const TemperedTarget& target, const Context& context);
  double squared_length(const Eigen::VectorXd& z) const { return root_.matrixL().solve(z - mean_).squaredNorm(); }

  Eigen::VectorXd mean_;
  Eigen::LLT<Eigen::MatrixXd> root_;
  double longest_ = 0, log_constant_ = 0;  ///< of the normal in the ellipsoid
  double lowest_ = 0;                      ///< log posterior density, up to a constant
  double overlap_ = 0, overlap_error_ = 0;
};

}  // namespace evident
