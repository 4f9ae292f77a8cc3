// A mixture of k normal distributions with unknown means, precisions and weights.
//
//   y_i ~ sum_j weight_j N(mu_j, 1 / lambda_j)
//   mu_j ~ N(xi, R^2), lambda_j ~ Gamma(shape 2, scale 50 / R^2), weight ~ Dirichlet(1, ..., 1),
//
// where xi is the middle and R the length of the range of the data.
//
//   GaussianMixture model({.components = 4}, observations);
//   model.parameters().names();   // mu[1] .. mu[4], lambda[1] .. lambda[4], weight[1] .. weight[4]
//
// Rows of z: mu 0..k-1, log lambda k..2k-1, weights 2k..3k-2. With one component there is no weight.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "evident/model/model.hpp"

namespace evident {

/// How components are told apart.
enum class MixtureLabels {
  free,     ///< any order: each mode of the posterior appears k! times
  ordered,  ///< mu increasing, with k! times the prior density: the evidence is the same
};

struct GaussianMixtureOptions {
  std::size_t components = 1;
  MixtureLabels labels = MixtureLabels::free;
  std::optional<double> mean_center{};      ///< xi; by default the middle of the data's range
  std::optional<double> mean_sd{};          ///< R; by default the length of the data's range
  double precision_shape = 2;               ///< of the gamma prior of lambda
  std::optional<double> precision_scale{};  ///< by default 50 / (length of the data's range)^2
  double concentration = 1;                 ///< of the symmetric Dirichlet prior of the weights
  /// Added to the mixture density (2 pi)^(1/2) p(y_i) of each observation. It bounds the log likelihood from below;
  /// published values for this model contain it. 0 for none.
  double floor = 1e-13;
  bool own_move = true;          ///< offer moves of the weights, and of neighbours when labels are ordered
  std::size_t weight_moves = 4;  ///< moves of the weights in each own move
};

class GaussianMixture final : public Model, public ChibModel {
 public:
  /// Throws InputError for fewer than two observations, for observations that are all equal or not finite, and for
  /// options out of range.
  GaussianMixture(const GaussianMixtureOptions& options, std::vector<double> observations);

  const GaussianMixtureOptions& options() const { return options_; }  ///< with the defaults filled in
  const std::vector<double>& observations() const { return y_; }

  const ParameterSpace& parameters() const override { return space_; }
  void log_likelihood(ConstBlock theta, std::span<double> out) const override;
  void draw_prior(const Streams& streams, std::uint32_t first, Block theta) const override;
  void log_prior(ConstBlock theta, std::span<double> out) const override;
  bool has_gradient() const override { return true; }
  void gradient(ConstBlock theta, Block d_log_prior, Block d_log_likelihood) const override;
  std::vector<std::vector<std::size_t>> groups() const override;

  std::size_t observation_count() const override { return y_.size(); }
  bool has_sequence() const override { return true; }
  void log_likelihood_of(ConstBlock theta, std::size_t first, std::size_t count, std::span<double> out) const override;

  /// Of the observations, in any order: "y". Every one has the same mean.
  std::vector<Observed> observed() const override;
  void draw_observations(ConstBlock theta, const Streams& streams, std::uint32_t first, Block out) const override;
  void predict(ConstBlock theta, Block out) const override;

  /// Several random-walk moves of the weights, for which component densities are computed once; then, with ordered
  /// labels, a proposal to exchange precision and weight between two neighbours. Nothing to move for one component.
  bool has_own_move() const override { return options_.own_move && options_.components > 1; }
  std::size_t own_move(double alpha, const MoveState& state, const MoveRandom& random) const override;

  /// Chib's method by a Gibbs sampler with allocations, exact over all orders of the labels. Labels are free in it.
  ChibEstimate chib(const ChibOptions& options, const Streams& streams) const override;

 private:
  void move_weights(double alpha, const MoveState& state, const MoveRandom& random) const;
  void exchange_neighbours(double alpha, const MoveState& state, const MoveRandom& random) const;

  GaussianMixtureOptions options_;
  std::vector<double> y_;
  ParameterSpace space_;
  double log_orders_ = 0;  ///< log k! when labels are ordered
};

/// By hand, as Zhou, Johansen and Aston (2016) set it (KernelOptions::manual): standard deviation of the proposal of
/// row j of z at alpha, for k components. Rows: mu, log lambda (k of each), then the weights.
inline double mixture_manual_scale(std::size_t k, std::size_t j, double alpha) {
  const double a = std::max(alpha, 0.05);
  if (j < k) return 0.15 / a;
  return (j < 2 * k ? 0.15 : 0.2) * (1 + 1 / std::sqrt(a));
}

}  // namespace evident
