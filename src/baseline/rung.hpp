// One rung of the ladder of population MCMC: the chains of all ladders at one tempering parameter.
#pragma once

#include <cstdint>

#include "baseline/tuned_kernel.hpp"
#include "evident/base/context.hpp"
#include "evident/path/target.hpp"

namespace evident {

class Rung {
 public:
  /// Starts with draws from the prior that are possible, where alpha > 0. Throws RunError when none is found.
  Rung(const Model& model, const KernelOptions& options, double alpha, std::size_t ladders, std::size_t period,
       const Streams& streams, EvaluationCount& count);

  double alpha() const { return alpha_; }
  void set_alpha(double alpha);
  Population& chains() { return x_; }
  const Population& chains() const { return x_; }

  /// One move of every chain; alpha = 0 draws afresh from the prior. Returns the share of accepted proposals.
  double move(const Context& context, std::uint32_t iteration, bool learn);

 private:
  /// Independent draws into `to`, with prior and likelihood.
  void draw(std::uint64_t tag, Population& to) const;
  double refresh(std::uint32_t iteration);

  const Model& model_;
  double alpha_;
  Streams streams_;
  EvaluationCount& count_;
  Population x_, fresh_;
  TunedKernel kernel_;
};

}  // namespace evident
