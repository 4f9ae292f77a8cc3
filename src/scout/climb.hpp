// Local optimisation: the highest point of a function that can be reached uphill from a start.
//
//   const Climb top = climb({.value = f, .has_gradient = true}, start, {.step = widths}, 1000);
//   top.x; top.value; top.converged;
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "evident/base/log_math.hpp"

namespace evident {

/// The value at x; -inf where x is impossible. Fills `gradient` unless it is empty. May throw: the climb ends.
using HeightAt = std::function<double(std::span<const double> x, std::span<double> gradient)>;

struct Height {
  HeightAt value;
  bool has_gradient = false;
};

/// Where to look. Without bounds: everywhere.
struct SearchBox {
  std::vector<double> lower = {}, upper = {};
  std::vector<double> step = {};  ///< the first step along each coordinate
};

struct ClimbOptions {
  double tolerance = 1e-9;  ///< of the value: a climb ends when steps gain less
  /// With a gradient: keep the whole curvature (SLSQP) and not some last steps of it (L-BFGS). It gets through where
  /// coordinates differ in scale by orders of magnitude, at the price of d^3 operations a step.
  bool whole_curvature = false;
  bool polish = true;       ///< a second climb by simplices, for functions with kinks
  std::size_t most = 2000;  ///< evaluations
  double enough = kInf;     ///< the climb may end where the value is as high as this
};

struct Climb {
  std::vector<double> x;
  double value = 0;
  bool converged = false;  ///< the optimiser stopped by itself
  bool at_box = false;     ///< a coordinate ended at its bound
};

/// Follows the gradient when there is one, otherwise models of the function (BOBYQA); simplices (Sbplx)
/// polish.
Climb climb(const Height& height, const std::vector<double>& start, const SearchBox& box, const ClimbOptions& options);

}  // namespace evident
