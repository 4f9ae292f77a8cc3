// What all kernels have in common: groups of rows that are moved one after another by a Metropolis-Hastings step, and
// proposals whose shape comes from the moments of the particles (paper, section 3.3.3 and Algorithm 4).
//
// A kernel of its own says how a proposal is made, and what corrects for it when it is not symmetric.
#pragma once

#include <vector>

#include "evident/kernel/kernel.hpp"
#include "kernel/metropolis.hpp"
#include "kernel/moments.hpp"
#include "kernel/scale_tuner.hpp"

namespace evident {

class GroupedKernel : public Kernel {
 public:
  void calibrate(const Population& x, double alpha) override;
  void use(const Calibration& calibration) override;
  Calibration calibration() const override;
  MoveReport move(const TemperedTarget& target, Population& x, const Context& context, std::uint32_t step) override;

 protected:
  /// Rows of z, and how they are moved, where a kernel knows several ways.
  struct Way {
    std::vector<std::size_t> rows;
    int way = 0;
  };
  /// One pass goes through them in this order. Ways to move the same rows take turns, in proportion to how far they
  /// jump.
  GroupedKernel(const KernelOptions& options, const Model& model, std::vector<Way> ways);

  struct Shape {
    std::vector<double> mean, root;  ///< root root' is the covariance
    std::vector<double> scaled;      ///< scale x root
  };
  struct Group {
    std::vector<std::size_t> rows;
    int way;
    ScaleTuner tuner;
    double scale = 1;                   ///< of the proposals, in units of the root
    double start = 0, share = 1;        ///< in which passes it has its turn
    std::vector<RowMoments> moments{};  ///< per half
    std::vector<Shape> shapes{};        ///< per half, or one for all
  };
  /// What a proposal is made from.
  struct Proposing {
    const TemperedTarget& target;
    const Context& context;
    const Group& group;
    const Shape& shape;
    const Particles& p;
    DrawIdentity id;
    const double* factor;  ///< on the scale of each particle; null when they are all 1
  };

  /// For coordinates whose covariance is known.
  virtual double default_scale(const Group& group) const = 0;
  virtual double largest_scale(const Group& group) const;
  /// Fills the group's rows of s.z, and the first rows of s.noise with the step in units of scale x root (factor left
  /// out), which tells how far an accepted proposal jumps.
  virtual void propose(const Proposing& from, Scratch& s) const = 0;
  /// log q(z|z') - log q(z'|z) for each particle, when the proposals have been evaluated; null when symmetric.
  virtual const double* log_correction(const Proposing&, Scratch&) const { return nullptr; }

  static std::vector<Way> one_way(std::vector<std::vector<std::size_t>> groups);
  /// A random walk, for any kernel that wants one among its ways, and its scale for d coordinates.
  static void walk(const Proposing& from, Scratch& s);
  static double walk_scale(std::size_t d);

 private:
  struct Passes {
    std::uint32_t first, last;
  };
  double base_scale(const Group& group) const { return options_.scale > 0 ? options_.scale : default_scale(group); }
  double tuned_scale(const Group& group) const;
  const double* fill_factors(const Group& group, const Context& context, DrawIdentity id, std::size_t n,
                             Scratch& s) const;
  void move_block(const TemperedTarget& target, Population& x, const Context& context, std::uint32_t step,
                  Passes passes, std::size_t block, std::vector<MoveTally>& tally) const;
  void share_passes(const std::vector<MoveTally>& tallies);
  void set_starts();
  void tally_move(const Proposing& from, const Scratch& s, MoveTally& tally) const;
  template <class Run>
  std::size_t make_passes(const Population& x, const Run& run) const;

  KernelOptions options_;
  std::vector<Group> groups_;
  Halves halves_{0, 0};
  std::size_t fixed_passes_ = 0;  ///< of a calibration in use; 0 when there is none
  std::size_t passes_ = 0;        ///< of the last move
  mutable ScratchPool pool_;
};

/// The rows of each group, as `grouping` wants them.
std::vector<std::vector<std::size_t>> grouped_rows(Grouping grouping, const Model& model);

}  // namespace evident
