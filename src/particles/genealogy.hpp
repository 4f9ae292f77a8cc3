// Who descends from whom: what one run can tell of its own error.
//
// A family is all particles with the same ancestor: their first particle (Eve), or their ancestor a few resamplings
// back. When few families hold most of the weight, the estimate of the evidence rests on few independent draws.
// docs/variance.md says how the numbers below become a variance.
//
//   Genealogy g;
//   g.start(1000);
//   g.resampled(ResampleScheme::stratified, weights, parents);   // before the particles are replaced
//   std::vector<Generation> all = g.finish(weights);             // one entry per resampling, and one for the end
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "evident/particles/population.hpp"

namespace evident {

/// How many resamplings back lines are followed, besides the line to Eve.
inline constexpr std::size_t kLags = 10;

/// sum_k Var(number of children of family k) over the N = weights.size() draws of a scheme, given the weights.
/// `family[i]` is below N. Schemes that keep the order are taken to find each family in one piece.
double spread_of_children(ResampleScheme scheme, std::span<const double> weights,
                          std::span<const std::uint32_t> family);

}  // namespace evident
