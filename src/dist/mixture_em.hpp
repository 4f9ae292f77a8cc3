// Weighted EM for a mixture of Student t components, from given responsibilities.
#pragma once

#include <span>
#include <vector>

#include "dist/fitted_mixture.hpp"
#include "evident/base/random.hpp"

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

/// The marginal that centres and scales: by mean and standard deviation.
Marginal plain_marginal(std::span<const double> z, std::span<const double> weights);
/// The sinh-arcsinh map under which the weighted values have the highest normal likelihood.
Marginal bent_marginal(std::span<const double> z, std::span<const double> weights);

/// Where EM starts: row k is one for the points of cluster k, else zero. Centres are chosen by greedy k-means++ (Arthur
/// and Vassilvitskii 2007) and improved by a few rounds of Lloyd's algorithm.
BlockStorage cluster(const EmPoints& points, std::size_t clusters, const Streams& streams);

/// The points on coordinates without correlation.
EmPoints whiten(const EmPoints& points);

}  // namespace evident::dist
