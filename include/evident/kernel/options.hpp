// How particles are moved: the kernel's options.
//
//   options.smc = SmcOptions{.kernel = {.kind = KernelKind::hmc, .passes = 5}};
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace evident {

class FittedMixture;

enum class KernelKind {
  random_walk,  ///< random-walk Metropolis
  mala,         ///< Langevin proposals, for models with a gradient
  /// Proposals that are drawn towards the mean of the particles, so that a t distribution with their moments would be
  /// left as it is: long steps where the target is near to normal, in any dimension (preconditioned Crank-Nicolson).
  crank_nicolson,
  /// Crank-Nicolson, and draws from a mixture fitted to the particles: for several modes and curved valleys. All
  /// coordinates at once, whatever `grouping` says.
  independent,
  hmc,  ///< Hamiltonian trajectories, for models with a gradient: long steps in many dimensions
  /// Hamiltonian trajectories for all coordinates at once where the model has a gradient and more than 50 coordinates,
  /// independent where modes are known or lie apart, Crank-Nicolson elsewhere.
  automatic,
};

enum class Grouping {
  joint,   ///< all coordinates at once, full covariance
  blocks,  ///< the model's groups one after another, full covariance within each; joint when it has none
  single,  ///< one coordinate at a time
};

enum class ScaleRule {
  adaptive,  ///< 2.38/sqrt(d) times the weighted particle moments (paper, Algorithm 4)
  band,      ///< adaptive, then widened or narrowed while acceptance is outside a band (Jasra et al. 2011)
  jump,      ///< adaptive, times the factor that moves furthest: each step tries five (Fearnhead and Taylor 2013)
  manual,    ///< a function of alpha, times `manual_sd` of each coordinate
};

/// Passes are repeated until the particles have forgotten where they were before the move: until the correlation of the
/// log likelihood, and that of the slowest coordinate, has fallen below a limit, or is seen not to get there within the
/// passes that are allowed.
struct UntilMixed {
  double log_likelihood = 0.2;  ///< limit of the correlation of the log likelihood
  double coordinate = 0.4;      ///< limit of the correlation of a coordinate of z; 1 = not looked at
  std::size_t least = 2, most = 100;
};

struct KernelOptions {
  KernelKind kind = KernelKind::random_walk;
  Grouping grouping = Grouping::blocks;
  ScaleRule scale_rule = ScaleRule::band;
  double scale =
      0;  ///< instead of 2.38/sqrt(d) (random walk; at most 1 for Crank-Nicolson) or 1.65/d^(1/6) (MALA); 0 = that
  double band_low = 0.15;                      ///< acceptance below: narrower
  double band_high = 0.5;                      ///< acceptance above: wider
  std::size_t passes = 3;                      ///< moves a step
  std::optional<UntilMixed> until_mixed = {};  ///< so many passes as it takes, in place of `passes`
  bool mix_scales = false;                     ///< each proposal draws a factor of its own, from small to large
  bool own_moves = true;                       ///< use the model's own move too, where it has one
  std::size_t own_every = 1;                   ///< the model's own move comes in every such pass
  std::size_t mixture_components = 8;          ///< at most, of the mixture that the independent kernel draws from
  /// Modes that are known, a component each: the independent kernel's mixture begins with them.
  std::shared_ptr<const FittedMixture> modes = {};
  /// Rows of z in which modes lie apart, where they are too many to be known one by one: the independent kernel draws
  /// each of these from a mixture of its own.
  std::vector<std::size_t> apart = {};
  /// For ScaleRule::manual: standard deviation of the proposal of coordinate j (a row of z) at alpha.
  std::function<double(std::size_t j, double alpha)> manual = {};
};

}  // namespace evident
