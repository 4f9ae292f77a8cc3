// Observations from a mixture of normal distributions.
//
//   const Streams streams({.seed = 1});
//   std::vector<double> y = simulate_mixture({}, 100, streams);   // four well separated components
#pragma once

#include <cstddef>
#include <vector>

#include "evident/base/random.hpp"

namespace evident {

/// One entry per component; weights need not sum to one.
struct MixtureTruth {
  std::vector<double> means{-3, 0, 3, 6};
  std::vector<double> sds{0.55, 0.55, 0.55, 0.55};
  std::vector<double> weights{1, 1, 1, 1};
};

/// Observation i depends on the streams and on i alone, so a longer series begins with the shorter one.
/// Throws InputError when the vectors differ in length, or for an sd or weights out of range.
std::vector<double> simulate_mixture(const MixtureTruth& truth, std::size_t observations, const Streams& streams);

}  // namespace evident
