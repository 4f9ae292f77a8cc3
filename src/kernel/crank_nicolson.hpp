// Preconditioned Crank-Nicolson proposals around a t distribution with the moments of the particles.
//
// In whitened coordinates w = L^-1 (z - mean), with the scale b between 0 and 1:
//   w' = sqrt(1 - b^2) w + b sqrt(s) eps,   s = (nu + |w|^2) / chi^2 with nu + d degrees of freedom.
// This leaves the t distribution with nu degrees of freedom as it is, so the correction is the ratio of its densities.
// For a target near to it b = 1 is accepted nearly always: a fresh draw, whatever the dimension. For a small b it is a
// random walk. Tails heavier than normal help particles far out; still, where the target has much more mass than the t
// distribution, as in the ends of a curved valley, proposals are hardly ever accepted. So some are those of a plain
// random walk, which has no such places; both get their share of the passes in proportion to how far they jump.
#pragma once

#include "kernel/grouped.hpp"

namespace evident {

class CrankNicolson : public GroupedKernel {
 public:
  CrankNicolson(const KernelOptions& options, const Model& model);

 protected:
  enum : int { kDrawn, kWalk, kFurther };  ///< a kernel with further ways counts them from there
  CrankNicolson(const KernelOptions& options, const Model& model, std::vector<Way> ways);
  static std::vector<Way> ways(const std::vector<std::vector<std::size_t>>& groups);
  double default_scale(const Group& group) const override;
  double largest_scale(const Group& group) const override;
  void propose(const Proposing& from, Scratch& s) const override;
  const double* log_correction(const Proposing& from, Scratch& s) const override;
};

}  // namespace evident
