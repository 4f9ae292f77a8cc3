// Moves on a union of models: within each model by its own kernel, between models by jumps.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "evident/kernel/kernel.hpp"
#include "smc/all_in_one.hpp"
#include "smc/draw_buffer.hpp"
#include "transdim/green.hpp"

namespace evident {

class UnionKernel {
 public:
  UnionKernel(const KernelOptions& options, const UnionOptions& union_options, const ModelFamily& family);

  /// Each model's kernel from its own particles. A model with few of them adds those it had in the steps before.
  void calibrate(UnionPopulation& x, double alpha);
  /// Within models, then between them.
  MoveReport move(const UnionTarget& target, UnionPopulation& x, const Context& context, std::uint32_t step);
  MoveReport move_within(const UnionTarget& target, UnionPopulation& x, const Context& context, std::uint32_t step);

  const std::vector<JumpTally>& jumps() const { return jumps_; }
  void reset_jumps();

 private:
  struct Part {
    std::unique_ptr<Kernel> kernel;
    DrawBuffer memory;
    bool calibrated = false;
  };
  Part& part(ModelIndex k);
  void calibrate_from_prior(Part& part, ModelIndex k, double alpha, const Context& context);

  KernelOptions options_;
  UnionOptions union_options_;
  const ModelFamily& family_;
  std::map<ModelIndex, Part> parts_;
  std::vector<JumpTally> jumps_;
};

}  // namespace evident
