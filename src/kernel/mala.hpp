// The Metropolis-adjusted Langevin algorithm, preconditioned by the weighted covariance of the particles.
//
// With L L' the covariance and h the step, in whitened coordinates:  v = h^2/2 L' grad + h eps,  z' = z + L v.
#pragma once

#include <vector>

#include "evident/kernel/kernel.hpp"
#include "kernel/metropolis.hpp"
#include "kernel/moments.hpp"
#include "kernel/scale_band.hpp"

namespace evident {

class Mala final : public Kernel {
 public:
  Mala(const KernelOptions& options, const Model& model);
  void calibrate(const Population& x, double alpha) override;
  MoveReport move(const TemperedTarget& target, Population& x, const Context& context, std::uint32_t step) override;

 private:
  struct Tally {
    std::size_t accepted = 0;
    double squares = 0;
  };
  void move_block(const TemperedTarget& target, Population& x, const Context& context, std::uint32_t step,
                  std::size_t block, Tally& tally);
  /// The drift h^2/2 L' grad in whitened coordinates, cut to a length that keeps far-out particles stable.
  void whitened_drift(const std::vector<double>& root, ConstBlock gradient, Block out) const;

  KernelOptions options_;
  std::vector<std::size_t> rows_;
  Halves halves_{0, 0};
  std::vector<std::vector<double>> roots_;  ///< per half
  double step_ = 1;
  ScaleBand band_;
  ScratchPool pool_;
};

}  // namespace evident
