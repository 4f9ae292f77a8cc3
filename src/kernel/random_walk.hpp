// Random-walk Metropolis: jointly, in groups, or one coordinate at a time (paper, section 3.3.3 and Algorithm 4).
#pragma once

#include "kernel/grouped.hpp"

namespace evident {

class RandomWalk final : public GroupedKernel {
 public:
  RandomWalk(const KernelOptions& options, const Model& model);

 private:
  double default_scale(const Group& group) const override;
  void propose(const Proposing& from, Scratch& s) const override;
};

}  // namespace evident
