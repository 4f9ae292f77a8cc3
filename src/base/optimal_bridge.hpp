// The optimal bridge between two samples, from their log ratios alone (Meng and Wong 1996).
#pragma once

#include <cstddef>
#include <span>

namespace evident {

struct OptimalBridge {
  double log_ratio = 0;      ///< log of the normalising constant of p, when q is normalised
  double variance_of_p = 0;  ///< of log_ratio, from the draws of p (Fruehwirth-Schnatter 2004)
  double variance_of_q = 0;  ///< the same from the draws of q
  double effective = 0;      ///< how many independent draws the draws of p are worth
};

/// `p` and `q` hold log p(z) - log q(z) at weighted draws from p and at independent draws from q. Draws from p that
/// stand side by side may depend on each other, and equal ones are one draw seen twice: both widen the variance.
/// Entries of q may be -inf. The weights sum to one.
OptimalBridge optimal_bridge(std::span<const double> p, std::span<const double> weights, std::span<const double> q);

/// Variance of the weighted mean of f over draws in order; draws with the same `identity` are copies of one.
double variance_of_mean(std::span<const double> f, std::span<const double> weights, std::span<const double> identity);

}  // namespace evident
