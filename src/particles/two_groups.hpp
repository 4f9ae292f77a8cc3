// Do the log likelihoods of the particles form two groups? At a first-order phase transition they do.
//
//   const TwoGroups g = two_groups(weights, log_likelihood, weighted_moments(weights, log_likelihood));
//   g.apart();
#pragma once

#include <span>

#include "evident/particles/population.hpp"
#include "particles/weights.hpp"

namespace evident {

/// Values of -inf are left out. No groups when the moments are not finite (such particles are not settled yet) or when
/// there are fewer than 100 particles.
TwoGroups two_groups(std::span<const double> weights, std::span<const double> log_likelihood, const Moments& moments);

}  // namespace evident
