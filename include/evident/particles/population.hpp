// The particles of a run: what is carried from step to step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "evident/base/block.hpp"
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

  /// Particle `at` becomes a copy of a particle of another population of the same model.
  void copy_from(const Population& from, std::size_t column, std::size_t at);
  /// Becomes the particles `columns` of another population of the same model, with equal weights.
  void assign(const Population& from, std::span<const std::uint32_t> columns);
  /// Replaces particle i by particle parents[i] and makes all weights equal; there may be fewer of them afterwards.
  void select(std::span<const std::uint32_t> parents);
};

}  // namespace evident
