// Where EM starts: k-means on whitened coordinates.
#pragma once

#include "dist/mixture_em.hpp"
#include "evident/base/random.hpp"

namespace evident::dist {

/// Row k is one for the points of cluster k, else zero. Centres are chosen by greedy k-means++ (Arthur and
/// Vassilvitskii 2007) and improved by a few rounds of Lloyd's algorithm.
BlockStorage cluster(const EmPoints& points, std::size_t clusters, const Streams& streams);

/// The points on coordinates without correlation.
EmPoints whiten(const EmPoints& points);

}  // namespace evident::dist
