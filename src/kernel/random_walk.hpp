// Random-walk Metropolis: jointly, in groups, or one coordinate at a time (paper, section 3.3.3 and Algorithm 4).
#pragma once

#include <vector>

#include "evident/kernel/kernel.hpp"
#include "kernel/metropolis.hpp"
#include "kernel/moments.hpp"
#include "kernel/scale_band.hpp"

namespace evident {

class RandomWalk final : public Kernel {
 public:
  RandomWalk(const KernelOptions& options, const Model& model);
  void calibrate(const Population& x, double alpha) override;
  MoveReport move(const TemperedTarget& target, Population& x, const Context& context, std::uint32_t step) override;

 private:
  struct Group {
    std::vector<std::size_t> rows;
    std::vector<std::vector<double>> roots;  ///< per half: lower triangular, scale included
    ScaleBand band;
  };
  struct Tally {
    std::vector<std::size_t> accepted;  ///< per group
    std::vector<double> squares;
  };

  double base_scale(std::size_t d) const;
  void move_block(const TemperedTarget& target, Population& x, const Context& context, std::uint32_t step,
                  std::size_t block, Tally& tally);
  void propose(const Group& group, const std::vector<double>& root, const Context& context, const DrawIdentity& id,
               const Particles& p, Scratch& s) const;

  KernelOptions options_;
  std::vector<Group> groups_;
  Halves halves_{0, 0};
  ScratchPool pool_;
};

}  // namespace evident
