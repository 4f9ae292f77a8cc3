// The kernels of the Gaussian mixture: vectorised over particles, each with a plain scalar twin that tests compare.
//
// Rows of theta: mu[1..k], lambda[1..k], weight[1..k] (no weight when k = 1).
#pragma once

#include <cstddef>
#include <span>

#include "evident/base/block.hpp"

namespace evident::mixture {

/// With more components than this the scalar twins do the work.
inline constexpr std::size_t kMaxComponents = 64;

/// Weight moves never go below this, where numbers begin to lose their digits.
inline constexpr double kSmallestWeight = 1e-300;

/// What does not change from particle to particle.
struct Likelihood {
  std::span<const double> y;
  std::size_t components;
  double floor;  ///< added to each mixture density, before the factor (2 pi)^(-1/2)
};

/// Random numbers and settings of the weight moves; rows of `normals`: one per move and free coordinate, rows of
/// `uniforms`: two per move (scale, acceptance).
struct WeightMoves {
  double alpha;
  double concentration;
  double scale;  ///< the middle one; each move multiplies it by a factor between 1/3 and 3
  std::size_t moves;
  ConstBlock normals;
  ConstBlock uniforms;
};

/// out[i] = log likelihood of particle i.
void log_likelihood(const Likelihood& data, ConstBlock theta, std::span<double> out);
/// Gradient in mu, lambda and all the weights, the constraint on their sum ignored.
void gradient(const Likelihood& data, ConstBlock theta, Block out);
/// Random-walk moves of the weights; mu and lambda stay, so component densities are computed once.
void move_weights(const Likelihood& data, const WeightMoves& moves, Block theta, std::span<double> log_prior,
                  std::span<double> log_likelihood);

// The scalar twins; theta is one particle.
double log_likelihood_scalar(const Likelihood& data, std::span<const double> theta);
void gradient_scalar(const Likelihood& data, std::span<const double> theta, std::span<double> out);
void move_weights_scalar(const Likelihood& data, const WeightMoves& moves, std::size_t column, std::span<double> theta,
                         double& log_prior, double& log_likelihood);

// The same functions as the vectorised ones, particle by particle with the scalar twins: for any number of components.
void log_likelihood_each(const Likelihood& data, ConstBlock theta, std::span<double> out);
void gradient_each(const Likelihood& data, ConstBlock theta, Block out);
void move_weights_each(const Likelihood& data, const WeightMoves& moves, Block theta, std::span<double> log_prior,
                       std::span<double> log_likelihood);

}  // namespace evident::mixture
