// A Gibbs sampler for the mixture with allocations of the observations to components (Diebolt and Robert 1994).
//
// Given the allocations, weights are Dirichlet and independent of the rest; given the precisions, means are normal;
// given the means, precisions are gamma. The floor of the likelihood is left out: where the posterior is, densities are
// many orders of magnitude above it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "evident/base/random.hpp"
#include "models/mixture/gaussian_mixture.hpp"

namespace evident::mixture {

struct GibbsState {
  std::vector<double> mu, lambda, weight;  ///< weight is {1} for one component
};

/// The observations that are allocated to each component.
struct Allocation {
  std::vector<double> count, sum, square;
};

class Gibbs {
 public:
  /// `options` with the defaults filled in.
  Gibbs(const GaussianMixtureOptions& options, std::span<const double> y) : options_(options), y_(y) {}

  /// Means at quantiles of the data, equal weights, precisions to match.
  GibbsState start() const;

  /// Allocations given the parameters. Returns the log likelihood of the parameters, without the floor.
  double allocate(const GibbsState& state, Stream& random, Allocation& out) const;
  void draw_means(const Allocation& a, Stream& random, GibbsState& state) const;
  void draw_precisions_and_weights(const Allocation& a, Stream& random, GibbsState& state) const;

  double log_prior(const GibbsState& state) const;  ///< without constants
  /// Log density of value `mu` for the mean of component j, given the allocations and the precisions of `state`.
  double log_mean_density(const Allocation& a, const GibbsState& state, std::size_t j, double mu) const;
  /// Log density of the precisions and weights of `state` given its means and the allocations.
  double log_precisions_and_weights(const Allocation& a, const GibbsState& state) const;

 private:
  struct Normal {
    double mean, precision;
  };
  Normal mean_conditional(const Allocation& a, double lambda, std::size_t j) const;
  struct Gamma {
    double shape, rate;
  };
  Gamma precision_conditional(const Allocation& a, double mu, std::size_t j) const;

  const GaussianMixtureOptions& options_;
  std::span<const double> y_;
};

}  // namespace evident::mixture
