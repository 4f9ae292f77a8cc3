// The mixture's own moves. Each leaves prior x likelihood^alpha invariant; see GaussianMixture::own_move.
#include <algorithm>
#include <cmath>

#include "models/mixture/gaussian_mixture.hpp"
#include "models/mixture/kernel.hpp"

namespace evident {
namespace {

/// Normals and uniforms come from passes of their own, two to each pass of the caller.
enum Source : std::uint32_t { kNormals = 0, kUniforms = 1 };

DrawIdentity identity(const MoveRandom& random, Source source) {
  return {.step = random.step,
          .particle = random.first_particle,
          .purpose = Purpose::model_move,
          .pass = 2 * random.pass + source};
}

/// The scale at which about a quarter of the proposals is accepted: weights are known to about the error of a
/// proportion from alpha n observations, and 2.38 / sqrt(dimension) is the usual factor.
double weight_scale(double alpha, std::size_t n, std::size_t k) {
  const double components = static_cast<double>(k);
  return 2.38 / std::sqrt(components - 1) *
         std::sqrt(2 * components / (std::max(alpha, 0.0) * static_cast<double>(n) + components));
}

}  // namespace

void GaussianMixture::move_weights(double alpha, const MoveState& state, const MoveRandom& random) const {
  const std::size_t k = options_.components, moves = options_.weight_moves, size = state.theta.size();
  BlockStorage normals(moves * (k - 1), size), uniforms(2 * moves, size);
  random.streams.fill_normal(identity(random, kNormals), normals);
  random.streams.fill_uniform(identity(random, kUniforms), uniforms);
  const mixture::WeightMoves settings{.alpha = alpha,
                                      .concentration = options_.concentration,
                                      .scale = weight_scale(alpha, y_.size(), k),
                                      .moves = moves,
                                      .normals = normals,
                                      .uniforms = uniforms};
  mixture::move_weights({y_, k, options_.floor}, settings, state.theta, state.log_prior, state.log_likelihood);
}

/// Exchanging precision and weight between components j and j+1 is its own inverse, keeps volume and the order of the
/// means, and does not change the prior, which is the same for all components. Each particle chooses its own j.
void GaussianMixture::exchange_neighbours(double alpha, const MoveState& state, const MoveRandom& random) const {
  const std::size_t k = options_.components, size = state.theta.size(), skipped = 2 * options_.weight_moves;
  BlockStorage uniforms(skipped + 2, size), proposal(state.theta.rows(), size);
  random.streams.fill_uniform(identity(random, kUniforms), uniforms);
  for (std::size_t row = 0; row < state.theta.rows(); ++row)
    std::copy_n(state.theta.row_data(row), state.theta.padded_size(), proposal.block().row_data(row));
  for (std::size_t i = 0; i < size; ++i) {
    const double pairs = static_cast<double>(k - 1);
    const std::size_t j = std::min(static_cast<std::size_t>(uniforms(skipped, i) * pairs), k - 2);
    std::swap(proposal(k + j, i), proposal(k + j + 1, i));
    std::swap(proposal(2 * k + j, i), proposal(2 * k + j + 1, i));
  }
  AlignedVector<double> proposed(size);
  log_likelihood(proposal, proposed);
  for (std::size_t i = 0; i < size; ++i) {
    const double log_ratio = alpha * (proposed[i] - state.log_likelihood[i]);
    if (!(std::log(uniforms(skipped + 1, i)) < log_ratio)) continue;  // NaN is rejected
    for (std::size_t row = k; row < 3 * k; ++row) state.theta(row, i) = proposal(row, i);
    state.log_likelihood[i] = proposed[i];
  }
}

std::size_t GaussianMixture::own_move(double alpha, const MoveState& state, const MoveRandom& random) const {
  if (!has_own_move()) return 0;
  std::size_t evaluations = 0;
  if (options_.weight_moves > 0) {
    move_weights(alpha, state, random);
    evaluations += state.theta.size();  // the densities; the moves themselves are cheap
  }
  if (options_.labels == MixtureLabels::ordered) {
    exchange_neighbours(alpha, state, random);
    evaluations += state.theta.size();
  }
  return evaluations;
}

}  // namespace evident
