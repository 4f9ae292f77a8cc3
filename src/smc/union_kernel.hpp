// Moves on a union of models: within each model by its own kernel, between models by jumps.
#pragma once

#include <cstdint>
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

  /// From now on what the kernels of models with particles enough do is written down as well.
  void write_to(UnionPlan& plan) { written_ = &plan; }
  /// From now on calibrate() takes what was written; the particles have no say.
  void follow(const UnionPlan& plan) { followed_ = &plan; }

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
    bool rests_on_enough = false;  ///< particles, for others to follow it
  };
  Part& part(ModelIndex k);
  void calibrate_from_plan(const UnionPopulation& x);
  void calibrate_from_prior(Part& part, ModelIndex k, double alpha, const Context& context);

  KernelOptions options_;
  UnionOptions union_options_;
  const ModelFamily& family_;
  std::map<ModelIndex, Part> parts_;
  std::vector<JumpTally> jumps_;
  UnionPlan* written_ = nullptr;
  const UnionPlan* followed_ = nullptr;
  std::uint64_t step_ = 0;  ///< calls of calibrate()
};

}  // namespace evident
