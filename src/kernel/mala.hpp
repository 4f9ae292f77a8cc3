// The Metropolis-adjusted Langevin algorithm, preconditioned by the weighted covariance of the particles.
//
// With L L' the covariance and h the step, in whitened coordinates:  v = h^2/2 L' grad + h eps,  z' = z + L v.
#pragma once

#include "kernel/grouped.hpp"

namespace evident {

class Mala final : public GroupedKernel {
 public:
  Mala(const KernelOptions& options, const Model& model);

 private:
  double default_scale(const Group& group) const override;
  void propose(const Proposing& from, Scratch& s) const override;
  const double* log_correction(const Proposing& from, Scratch& s) const override;
  /// The drift h^2/2 L' grad in whitened coordinates, cut to a length that keeps far-out particles stable.
  static void whitened_drift(const Proposing& from, ConstBlock gradient, Block out);
};

}  // namespace evident
