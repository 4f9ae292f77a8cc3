// Have the particles forgotten where they were before the move?
#pragma once

#include <span>
#include <vector>

#include "evident/kernel/options.hpp"
#include "evident/particles/population.hpp"

namespace evident {

class Mixing {
 public:
  /// Before the move.
  Mixing(const UntilMixed& limits, const Population& x);
  /// After so many passes: correlations are below their limits, or will not get there. The weights are those of before.
  bool enough(const Population& now, std::size_t passes) const;

 private:
  /// Of some rows of z before and now.
  std::vector<double> correlations(const Population& now, std::span<const std::size_t> rows) const;
  bool worth_waiting(double correlation, double limit, std::size_t passes) const;

  UntilMixed limits_;
  AlignedVector<double> log_likelihood_;
  BlockStorage z_;
};

/// Weighted correlation; pairs that are not finite are left out; 0 when one side does not vary.
double correlation(std::span<const double> weights, std::span<const double> a, std::span<const double> b);

}  // namespace evident
