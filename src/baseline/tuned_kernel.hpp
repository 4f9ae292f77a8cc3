// A kernel that learns from the chain it moves, until it is told to stop.
//
// An SMC kernel is calibrated by a population. Here there may be one chain, so the population is made of the chain's
// own recent draws: the later half of all that were seen. Afterwards `learn` is not called any more, and the kernel
// stays as it is: only then is the target its invariant distribution.
#pragma once

#include <cstddef>
#include <memory>

#include "evident/kernel/kernel.hpp"

namespace evident {

class TunedKernel {
 public:
  /// `period`: moves between two calibrations.
  TunedKernel(const Model& model, const KernelOptions& options, std::size_t period);

  /// The first calibration; `x` stands in for the chain's draws until there are enough of them.
  void start(Population x, double alpha);
  MoveReport move(const TemperedTarget& target, Population& x, const Context& context, std::uint32_t step) {
    return kernel_->move(target, x, context, step);
  }
  /// Takes note of where a move led; calibrates when it is time.
  void learn(const Population& x, const MoveReport& moved, double alpha);
  void calibrate(double alpha);

 private:
  void adjust_factor();
  Population recent(std::size_t count) const;

  const Model& model_;
  KernelOptions options_;
  std::unique_ptr<Kernel> kernel_;
  std::size_t period_, moves_ = 0;
  Population first_;
  BlockStorage seen_;  ///< a ring of columns of z
  std::size_t pushed_ = 0;
  bool uses_seen_ = false;
  double acceptance_ = 0, factor_ = 1;
};

}  // namespace evident
