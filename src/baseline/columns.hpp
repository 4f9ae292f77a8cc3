// Single particles that go from one population to another of the same model. Weights stay where they are.
#pragma once

#include <utility>

#include "evident/particles/population.hpp"

namespace evident {

inline void copy_particle(const Population& from, std::size_t i, Population& to, std::size_t j) {
  for (std::size_t row = 0; row < from.z.rows(); ++row) to.z(row, j) = from.z(row, i);
  for (std::size_t row = 0; row < from.theta.rows(); ++row) to.theta(row, j) = from.theta(row, i);
  to.log_prior[j] = from.log_prior[i];
  to.log_jacobian[j] = from.log_jacobian[i];
  to.log_likelihood[j] = from.log_likelihood[i];
}

inline void swap_particles(Population& a, std::size_t i, Population& b, std::size_t j) {
  for (std::size_t row = 0; row < a.z.rows(); ++row) std::swap(a.z(row, i), b.z(row, j));
  for (std::size_t row = 0; row < a.theta.rows(); ++row) std::swap(a.theta(row, i), b.theta(row, j));
  std::swap(a.log_prior[i], b.log_prior[j]);
  std::swap(a.log_jacobian[i], b.log_jacobian[j]);
  std::swap(a.log_likelihood[i], b.log_likelihood[j]);
}

}  // namespace evident
