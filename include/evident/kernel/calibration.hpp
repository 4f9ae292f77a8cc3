// What a kernel found when it calibrated itself, as a value: it can be kept and used again in another run.
//
//   kernel->calibrate(x, alpha);
//   kernel->move(target, x, context, step);
//   const Calibration found = kernel->calibration();
//   other->use(found);                        // a kernel with the same options, of the same model
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "evident/dist/fitted_mixture.hpp"

namespace evident {

struct Calibration {
  /// Rows of z that are moved together.
  struct Group {
    std::vector<double> mean;                       ///< of the rows, over all the particles
    std::vector<double> root;                       ///< lower triangular, row-major; root root' is their covariance
    double scale = 1;                               ///< of the proposals, in units of the root
    std::shared_ptr<const FittedMixture> fit = {};  ///< to the particles, where proposals are drawn from one
    double share = 1;  ///< of the passes in which it is moved, when there are several ways to move the same rows
  };
  std::vector<Group> groups;
  std::size_t passes = 1;  ///< over all groups, in one move
};

}  // namespace evident
