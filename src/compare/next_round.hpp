// What to do after a round of islands: stop, or give more work to the models where it helps most. Plain functions of
// numbers.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "evidence/probabilities.hpp"
#include "evident/compare/compare.hpp"

namespace evident {

/// A model after a round.
struct ModelProgress {
  WeightedEvidence evidence = {};
  double island_sd = 0;       ///< standard deviation of the islands' log evidences
  bool doubtful = false;      ///< the islands differ by more than their errors
  std::size_t islands = 0;    ///< with the particles that it has now
  std::size_t particles = 0;  ///< of an island
  std::size_t full = 0;       ///< particles that were asked for: a run against the clock begins with fewer
  double cost = 1;            ///< of one island, in the same unit for all models
  double seconds = 0;         ///< that one island takes on one thread
};

struct ModelPlan {
  std::size_t islands = 0;  ///< to add
  std::size_t factor = 1;   ///< above 1: begin again with so many times the particles, and `islands` of them
  bool hopeless = false;    ///< cannot matter any more: it is left as it is
};

struct RoundPlan {
  std::vector<ModelPlan> models;
  double seconds = 0;  ///< forecast of the round
  bool more() const;   ///< is there anything to do?
};

/// Limits of one model: then the goal is missed, and the result says so.
inline constexpr std::size_t kMostIslands = 1024, kMostGrowth = 64;
/// Islands that contradict each other get more particles without being asked for it, so many times at most.
inline constexpr std::size_t kMostGrowthUnasked = 4;

/// A standard error from few islands may be too small by chance, and one that is looked at again and again is believed
/// when it is. So it counts with one standard error of its own on top.
double safe_error(const Estimate& evidence);

/// `elapsed` seconds are gone; `threads` work side by side; `base` islands make a first round.
RoundPlan next_round(std::span<const ModelProgress> models, const Goal& goal, double elapsed, unsigned threads,
                     std::size_t base);

/// The models that are wanted begin again with twice the particles and `base` islands, but for those at their limits.
/// Against the clock none does.
RoundPlan doubled_particles(std::span<const ModelProgress> models, const std::vector<bool>& wanted, const Goal& goal,
                            unsigned threads, std::size_t base);

}  // namespace evident
