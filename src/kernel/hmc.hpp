// Hamiltonian Monte Carlo, preconditioned by the weighted covariance of the particles.
//
// In whitened coordinates, with L L' the covariance, p normal and h the step: p += h/2 L' grad, z += h L p,
// p += h/2 L' grad, as often as it takes to go about a quarter of the circle that a normal target makes of it. Each
// particle draws how far it goes: with one length for all a target near to normal would be periodic. The jump rule
// takes the step that moves furthest for what it costs.
#pragma once

#include "kernel/grouped.hpp"

namespace evident {

class Hmc final : public GroupedKernel {
 public:
  Hmc(const KernelOptions& options, const Model& model);

 private:
  double default_scale(const Group& group) const override;
  double largest_scale(const Group& group) const override;
  void propose(const Proposing& from, Scratch& s) const override;
  const double* log_correction(const Proposing& from, Scratch& s) const override;
  const double* cost(const Scratch& s) const override;
};

}  // namespace evident
