// The largest likelihood near a point, on the unconstrained scale.
#pragma once

#include <cstddef>
#include <vector>

#include "evident/base/context.hpp"
#include "evident/path/target.hpp"

namespace evident {

/// A box in z, with a first step for each coordinate.
struct SearchBox {
  std::vector<double> lower, upper, step;
};

struct Optimum {
  double log_likelihood = 0;
  std::vector<double> z;
  bool converged = false;  ///< the optimiser stopped by itself
  bool at_box = false;     ///< a coordinate ended at its bound
};

/// Follows the gradient when the model has one (L-BFGS), otherwise models of the function (BOBYQA); simplices (Sbplx)
/// finish. Throws RunError when asked to stop.
Optimum largest_likelihood(const TemperedTarget& target, const std::vector<double>& start, const SearchBox& box,
                           std::size_t max_evaluations, const Context& context);

}  // namespace evident
