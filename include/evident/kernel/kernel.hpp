// What a kernel promises: first it calibrates itself from the weighted particles, then it moves them, leaving the
// tempered target invariant. Models never hear of Metropolis.
//
//   const std::unique_ptr<Kernel> kernel = make_kernel({.kind = KernelKind::crank_nicolson}, *model);
//   kernel->calibrate(particles, target.alpha());
//   const MoveReport report = kernel->move(target, particles, context, 12);  // step 12
//   const Calibration found = kernel->calibration();
//   kernel->use(found);  // or another kernel with the same options, of the same model
//
// examples/cpp/own_kernel.cpp writes one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "evident/base/context.hpp"
#include "evident/kernel/options.hpp"
#include "evident/particles/population.hpp"
#include "evident/path/target.hpp"

namespace evident {

class FittedMixture;

/// What a kernel found when it calibrated itself, as a value: it can be kept and used again in another run.
struct Calibration {
  /// Rows of z that are moved together.
  struct Group {
    std::vector<double> mean;                       ///< of the rows, over all the particles
    std::vector<double> root;                       ///< lower triangular, row-major; root root' is their covariance
    double scale = 1;                               ///< of the proposals, in units of the root
    std::shared_ptr<const FittedMixture> fit = {};  ///< to the particles, where proposals are drawn from one
    double share = 1;  ///< of the passes in which it is moved, when there are several ways to move the same rows
  };
  std::vector<Group> groups;
  std::size_t passes = 1;  ///< over all groups, in one move
};

/// What a move did.
struct MoveReport {
  double acceptance = 0;   ///< share of proposals accepted
  double jump = 0;         ///< mean squared jump per coordinate, in units of the calibrated variance
  double scale = 1;        ///< factor on the calibrated scale (mean over groups)
  std::size_t passes = 0;  ///< made over all groups
};

/// Chains that start at the particles, of so many states each, the start included.
struct Chains {
  std::size_t length = 1;
  std::function<void(std::size_t state)> keep;  ///< called when the particles are states 1, 2, .. length-1
};

class Kernel {
 public:
  virtual ~Kernel() = default;
  /// From the weighted moments of the particles, which target pi_alpha.
  virtual void calibrate(const Population& x, double alpha) = 0;
  /// In place of calibrate(): proposals as another kernel's calibration() says, for all particles alike. Nothing is
  /// adapted until the next calibrate(). Throws InputError when the kernel has other groups.
  virtual void use(const Calibration& calibration) = 0;
  /// What calibrate() found, from all the particles together; after a move with the scale and the number of passes that
  /// proved good in it.
  virtual Calibration calibration() const = 0;
  /// Moves every particle; random numbers are keyed by (step, particle).
  virtual MoveReport move(const TemperedTarget& target, Population& x, const Context& context, std::uint32_t step) = 0;
  /// One move for each state of the chains but the first. Scales are tuned once, at the end. Options that ask for as
  /// many passes as it takes are not looked at: each state is `passes` away from the one before.
  virtual MoveReport move_chains(const TemperedTarget& target, Population& x, const Context& context,
                                 std::uint32_t step, const Chains& chains) = 0;
  /// What a kernel of the same options has to know to go on from here with calibrate(): scales that it tuned, say.
  virtual std::vector<std::byte> memory() const { return {}; }
  /// Throws RunError when that is no memory of such a kernel.
  virtual void remember(std::span<const std::byte> /*memory*/) {}
};

/// Throws InputError when the options do not fit the model (MALA without a gradient, say).
std::unique_ptr<Kernel> make_kernel(const KernelOptions& options, const Model& model);
/// What KernelKind::automatic stands for with this model; other kinds as they are.
KernelOptions chosen_kernel(KernelOptions options, const Model& model);

}  // namespace evident
