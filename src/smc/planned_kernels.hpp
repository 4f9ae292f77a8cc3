// The kernels of a pilot and of a frozen run: the loop calibrates and moves as always, and does not know which it has.
#pragma once

#include <memory>
#include <utility>

#include "evident/kernel/kernel.hpp"
#include "evident/smc/sampler.hpp"
#include "kernel/pack_calibration.hpp"

namespace evident {

/// Adapts, and writes down what it did.
class PilotKernel final : public Kernel {
 public:
  PilotKernel(std::unique_ptr<Kernel> kernel, FrozenPlan& plan) : kernel_(std::move(kernel)), plan_(plan) {}

  void calibrate(const Population& x, double alpha) override {
    plan_.alphas.push_back(alpha);
    kernel_->calibrate(x, alpha);
  }
  void use(const Calibration& calibration) override { kernel_->use(calibration); }
  Calibration calibration() const override { return kernel_->calibration(); }
  MoveReport move(const TemperedTarget& target, Population& x, const Context& context, std::uint32_t step) override {
    const MoveReport moved = kernel_->move(target, x, context, step);
    plan_.calibrations.push_back(kernel_->calibration());
    return moved;
  }
  MoveReport move_chains(const TemperedTarget& target, Population& x, const Context& context, std::uint32_t step,
                         const Chains& chains) override {
    const MoveReport moved = kernel_->move_chains(target, x, context, step, chains);
    plan_.calibrations.push_back(kernel_->calibration());
    return moved;
  }
  /// With the plan so far.
  std::vector<std::byte> memory() const override {
    Packer out;
    out.put_bytes(kernel_->memory());
    out.put_doubles(plan_.alphas);
    put_value(out, plan_.calibrations);
    return out.finish();
  }
  void remember(std::span<const std::byte> memory) override {
    Unpacker in(memory);
    kernel_->remember(in.get_bytes());
    plan_.alphas = in.get_doubles();
    get_value(in, plan_.calibrations);
    in.end();
  }

 private:
  std::unique_ptr<Kernel> kernel_;
  FrozenPlan& plan_;
};

/// Does what is written; the particles have no say.
class FrozenKernel final : public Kernel {
 public:
  FrozenKernel(std::unique_ptr<Kernel> kernel, const FrozenPlan& plan) : kernel_(std::move(kernel)), plan_(plan) {}

  void calibrate(const Population&, double) override { kernel_->use(plan_.calibrations[next_++]); }
  void use(const Calibration& calibration) override { kernel_->use(calibration); }
  Calibration calibration() const override { return kernel_->calibration(); }
  MoveReport move(const TemperedTarget& target, Population& x, const Context& context, std::uint32_t step) override {
    return kernel_->move(target, x, context, step);
  }
  MoveReport move_chains(const TemperedTarget& target, Population& x, const Context& context, std::uint32_t step,
                         const Chains& chains) override {
    return kernel_->move_chains(target, x, context, step, chains);
  }
  std::vector<std::byte> memory() const override {
    Packer out;
    out.put(static_cast<std::uint64_t>(next_));
    return out.finish();
  }
  void remember(std::span<const std::byte> memory) override {
    Unpacker in(memory);
    next_ = static_cast<std::size_t>(in.get<std::uint64_t>());
    in.end();
    if (next_ > plan_.calibrations.size()) Unpacker::refuse();
  }

 private:
  std::unique_ptr<Kernel> kernel_;
  const FrozenPlan& plan_;
  std::size_t next_ = 0;
};

}  // namespace evident
