// Weighted EM for a mixture of Student t components, from given responsibilities.
#pragma once

#include <span>
#include <vector>

#include "dist/fitted_mixture.hpp"

namespace evident::dist {

/// Points on the components' coordinates, with weights that sum to one (a row, so that its padding is zero).
struct EmPoints {
  BlockStorage x;
  BlockStorage weights;

  std::size_t size() const { return x.size(); }
};

/// Row k of `responsibilities`: how much of each point belongs to component k. Components that come to hold too few
/// points are dropped.
std::vector<MixtureComponent> run_em(const EmPoints& points, BlockStorage responsibilities,
                                     const MixtureFitOptions& options, const Executor& executor);

/// Responsibilities of a mixture whose marginals are the identity; returns the weighted mean log density.
double expect(const FittedMixture& mixture, const EmPoints& points, const Executor& executor,
              BlockStorage& responsibilities, BlockStorage& square);

}  // namespace evident::dist
