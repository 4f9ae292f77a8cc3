// Particles that live in several models at once, for samplers that move between models.
//
// Particles of the same model stand side by side, so that models still see blocks. The order is by model index, then by
// key; `weights` and the concatenated log likelihood follow it.
//
// A key is a random number that a particle keeps wherever it jumps. Kernels treat the first and the second half of a
// population apart, so the place of a particle must not tell where it came from: ordered by history instead, newcomers
// from the smaller model would all stand in front and the target would not be kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "evident/model/family.hpp"
#include "evident/particles/population.hpp"

namespace evident {

struct UnionPopulation {
  struct Member {
    ModelIndex model;
    Population x;  ///< its weights are those of `share_weights`
  };

  std::vector<Member> members;      ///< models with at least one particle, in increasing order
  Weights weights;                  ///< of all the particles; normalised over the union
  std::vector<std::uint64_t> keys;  ///< of all the particles

  std::size_t size() const { return weights.size(); }
  /// Log likelihoods of all the particles in the order of `weights`.
  AlignedVector<double> log_likelihood() const;
  /// Gives each member its own normalised weights, in proportion to the union's.
  void share_weights();
  /// Weighted share of model k.
  double share(ModelIndex k) const;
  std::size_t count(ModelIndex k) const;
  /// Null when there is none.
  const Member* find(ModelIndex k) const;

  /// Replaces particle i by particle parents[i] and makes all weights equal. Copies share the upper half of their
  /// parent's key; the lower half comes from `fresh`, one number a particle. Members without particles go.
  void select(const ModelFamily& family, std::span<const std::uint32_t> parents, std::span<const std::uint64_t> fresh);
};

}  // namespace evident
