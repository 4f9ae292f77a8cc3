// The particles of a run: what is carried from step to step.
//
// They may be spread over the ranks of a team. Each rank then has room for all of them, but knows z, theta, log_prior
// and log_jacobian of its own blocks only; log likelihoods and weights, one number a particle, are the same everywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "evident/base/block.hpp"
#include "evident/base/partition.hpp"
#include "evident/model/model.hpp"
#include "evident/particles/genealogy.hpp"
#include "evident/particles/weights.hpp"

namespace evident {

struct Population {
  Population(const Model& model, std::size_t n);

  std::size_t size() const { return weights.size(); }

  BlockStorage z;                      ///< unconstrained coordinates
  BlockStorage theta;                  ///< the same points as the model knows them
  AlignedVector<double> log_prior;     ///< density of z: prior(theta) |dtheta/dz|
  AlignedVector<double> log_jacobian;  ///< log |dtheta/dz|
  AlignedVector<double> log_likelihood;
  Weights weights;
  Genealogy genealogy;    ///< of runs that start one
  std::size_t chain = 0;  ///< waste-free runs: so many neighbours are states of one chain; 0 in other runs
  std::shared_ptr<BlockPartition> partition = {};  ///< over the ranks of a team; null: all the particles are here

  /// The blocks of this rank.
  std::size_t first_block() const { return partition ? partition->begin() : 0; }
  std::size_t last_block() const { return partition ? partition->end() : block_count(size()); }
  /// Makes all ranks know the log likelihoods of all particles.
  void gather_log_likelihood();
  /// Makes all ranks know all particles; they are not partition any more.
  void gather();

  /// Particle `at` becomes a copy of a particle of another population of the same model.
  void copy_from(const Population& from, std::size_t column, std::size_t at);
  /// Becomes the particles `columns` of another population of the same model, with equal weights.
  void assign(const Population& from, std::span<const std::uint32_t> columns);
  /// Replaces particle i by particle parents[i] and makes all weights equal; there may be fewer of them afterwards.
  /// Where the particles are partition, each rank gets those that it lacks, each once, from the ranks that have them.
  void select(std::span<const std::uint32_t> parents);

 private:
  void select_spread(std::span<const std::uint32_t> parents);
};

}  // namespace evident
