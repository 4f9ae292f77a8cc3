// Waste-free moves (Dau and Chopin 2022): of the states that a chain goes through none is thrown away.
//
// Resampling leaves M particles, and the kernel makes a chain of P states from each; all N = M x P states are the next
// particles. The start is one of them: it has the right distribution already, as the paper has it, so that a step costs
// (P - 1) / P moves a particle. Chains lie one after another, as copies of one parent do elsewhere: halves of the
// particles, strata and held-out draws then never cut many of them.
#pragma once

#include <memory>
#include <span>
#include <utility>

#include "evident/kernel/kernel.hpp"
#include "evident/smc/sampler.hpp"

namespace evident {

/// To the loop a kernel as any other: it is given the starts and leaves all the states.
class WasteFreeKernel final : public Kernel {
 public:
  WasteFreeKernel(std::unique_ptr<Kernel> kernel, std::size_t length) : kernel_(std::move(kernel)), length_(length) {}

  void calibrate(const Population& x, double alpha) override { kernel_->calibrate(x, alpha); }
  void use(const Calibration& calibration) override { kernel_->use(calibration); }
  Calibration calibration() const override { return kernel_->calibration(); }
  MoveReport move(const TemperedTarget& target, Population& x, const Context& context, std::uint32_t step) override;
  MoveReport move_chains(const TemperedTarget& target, Population& x, const Context& context, std::uint32_t step,
                         const Chains& chains) override {
    return kernel_->move_chains(target, x, context, step, chains);
  }
  std::vector<std::byte> memory() const override { return kernel_->memory(); }
  void remember(std::span<const std::byte> memory) override { kernel_->remember(memory); }

 private:
  std::unique_ptr<Kernel> kernel_;
  std::size_t length_;
};

/// The kernel itself, or a waste-free one around it.
std::unique_ptr<Kernel> make_mover(std::unique_ptr<Kernel> kernel, const SmcOptions& options);

/// Relative variance of a mean over independent chains of `length` neighbours, whose normalised weights are given:
/// that of the chains' means, divided by their number.
double between_chains(std::span<const double> weights, std::size_t length);

}  // namespace evident
