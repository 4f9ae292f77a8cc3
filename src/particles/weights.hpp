// Normalised weights, kept as logarithms and as numbers, with the two effective sample sizes of the paper.
//
//   Weights w(1000);                        // all equal
//   double log_ratio = w.absorb(l, 0.01).log_ratio;   // W_i <- W_i exp(0.01 l_i), normalised again
#pragma once

#include <cstddef>
#include <span>

#include "evident/particles/population.hpp"

namespace evident {

/// Conditional ESS as a share of N for incremental weights exp(delta l_i):
/// (sum W_i w_i)^2 / sum W_i w_i^2 (paper, section 3.3.2).
double cess(std::span<const double> weights, std::span<const double> l, double delta);
/// ESS as a share of N after multiplying the weights by exp(delta l_i).
double ess_after(std::span<const double> weights, std::span<const double> l, double delta);
/// Mean and variance under the weights; -inf and NaN when a particle of positive weight has l = -inf.
struct Moments {
  double mean, variance;
};
Moments weighted_moments(std::span<const double> weights, std::span<const double> l);

}  // namespace evident
