// For models whose likelihood takes some tens of nanoseconds, so that what a sampler does beside it is most of the
// time. A class derived from Model may derive from this, too; samplers then take short cuts that would not pay
// elsewhere: transform and prior in one pass, and the noise of random walks in single precision.
#pragma once

#include <span>

#include "evident/base/block.hpp"

namespace evident {

class QuickModel {
 public:
  virtual ~QuickModel() = default;
  /// theta from z, the log prior density of z (that of theta plus the log Jacobian), and log |dtheta/dz|: what
  /// parameters().constrain and log_prior say. False, with nothing done, when these parameters need the long way.
  virtual bool constrain(ConstBlock z, Block theta, std::span<double> log_prior,
                         std::span<double> log_jacobian) const = 0;
};

}  // namespace evident
