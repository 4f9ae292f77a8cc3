// What all kernels have in common: groups of rows that are moved one after another by a Metropolis-Hastings step, and
// proposals whose shape comes from the moments of the particles (paper, section 3.3.3 and Algorithm 4).
//
// A kernel of its own says how a proposal is made, and what corrects for it when it is not symmetric.
#pragma once

#include <memory>
#include <vector>

#include "base/partition.hpp"
#include "dist/fitted_mixture.hpp"
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
  MoveReport move_chains(const TemperedTarget& target, Population& x, const Context& context, std::uint32_t step,
                         const Chains& chains) override;
  std::vector<std::byte> memory() const override;
  void remember(std::span<const std::byte> memory) override;

 protected:
  /// Rows of z, and how they are moved, where a kernel knows several ways.
  struct Way {
    std::vector<std::size_t> rows;
    int way = 0;
    bool scaled = true;  ///< there is a scale to tune
  };
  /// One pass goes through them in this order. Ways to move the same rows take turns, in proportion to how far they
  /// jump.
  GroupedKernel(const KernelOptions& options, const Model& model, std::vector<Way> ways);

  struct Shape {
    std::vector<double> mean, root;  ///< root root' is the covariance
    std::vector<double> scaled;      ///< scale x root
    std::shared_ptr<const FittedMixture> fit = {};
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
    bool again;  ///< the last proposal of these particles was of this group, too: s.mask says which were accepted
  };

  /// For coordinates whose covariance is known.
  virtual double default_scale(const Group& group) const = 0;
  virtual double largest_scale(const Group& group) const;
  /// Fills the group's rows of s.z, and the first rows of s.noise with the step in units of scale x root (factor left
  /// out), which tells how far an accepted proposal jumps.
  virtual void propose(const Proposing& from, Scratch& s) const = 0;
  /// log q(z|z') - log q(z'|z) for each particle, when the proposals have been evaluated; null when symmetric.
  virtual const double* log_correction(const Proposing&, Scratch&) const { return nullptr; }
  /// What each proposal cost, where they differ: then jumps are judged by their squares a unit of cost.
  virtual const double* cost(const Scratch&) const { return nullptr; }

  static std::vector<Way> one_way(std::vector<std::vector<std::size_t>> groups);
  /// A random walk, for any kernel that wants one among its ways, and its scale for d coordinates.
  static void walk(const Proposing& from, Scratch& s);
  static double walk_scale(std::size_t d);

  std::vector<Group>& groups() { return groups_; }
  const std::vector<Group>& groups() const { return groups_; }
  const Halves& halves() const { return halves_; }
  /// A calibration of another kernel is in use: nothing is adapted.
  bool fixed() const { return fixed_passes_ > 0; }

 private:
  struct Passes {
    std::uint32_t first, last;
    std::uint32_t decision;  ///< number of the first; even, because uniforms are drawn for two at a time
    std::size_t middle;      ///< first block of the second half of the particles
  };
  using Tallies = std::vector<MoveTally>;  ///< per block and group, those of a block side by side
  double base_scale(const Group& group) const { return options_.scale > 0 ? options_.scale : default_scale(group); }
  double tuned_scale(const Group& group) const;
  const double* fill_factors(const Group& group, const Context& context, DrawIdentity id, std::size_t n,
                             Scratch& s) const;
  void move_block(const TemperedTarget& target, Population& x, const Context& context, std::uint32_t step,
                  Passes passes, std::size_t block, MoveTally* tally) const;
  void share_passes(const std::vector<MoveTally>& tallies);
  void set_starts();
  void tally_move(const Proposing& from, const Scratch& s, MoveTally& tally) const;
  std::size_t passes_wanted() const { return fixed_passes_ > 0 ? fixed_passes_ : options_.passes; }
  template <class Run>
  std::size_t make_passes(Population& x, const Run& run) const;
  MoveReport conclude(const Tallies& tallies, std::size_t passes, const BlockPartition* partition);
  std::vector<RowMoments> moments_of_groups(const Population& x) const;

  KernelOptions options_;
  std::vector<Group> groups_;
  Halves halves_{0};
  std::size_t fixed_passes_ = 0;  ///< of a calibration in use; 0 when there is none
  std::size_t passes_ = 0;        ///< of the last move, or between two states of a chain
  mutable ScratchPool pool_;
};

/// The rows of each group, as `grouping` wants them.
std::vector<std::vector<std::size_t>> grouped_rows(Grouping grouping, const Model& model);

}  // namespace evident
