// The Metropolis-Hastings step on one block of particles, shared by all kernels.
#pragma once

#include <cstdint>
#include <span>

#include "evident/base/random.hpp"
#include "evident/particles/population.hpp"
#include "evident/path/target.hpp"
#include "kernel/scratch.hpp"

namespace evident {

/// The particles first .. first+size-1 of a population.
struct Particles {
  Particles(Population& x, std::size_t block);
  std::size_t first, size;
  Block z, theta;
  double *log_prior, *log_jacobian, *log_likelihood;
};

/// Fills theta, log_prior, log_jacobian and log_likelihood of the proposals in scratch.z. The likelihood is asked only
/// for proposals inside the prior's support; for the others it is -inf.
void evaluate_proposals(const TemperedTarget& target, std::size_t n, Scratch& scratch);

/// What is moved, and with which random numbers.
struct Decision {
  std::span<const std::size_t> rows;       ///< of z that the proposal changed; empty: all
  const double* log_correction = nullptr;  ///< log q(z|z') - log q(z'|z); null for a symmetric proposal
  std::uint32_t step = 0;
  std::uint32_t number = 0;  ///< of this decision within the step; uniforms are drawn for two at a time
};

/// Accepts or rejects. Sets scratch.mask and returns the number accepted.
std::size_t accept_or_reject(const TemperedTarget& target, const Streams& streams, const Decision& decision,
                             const Particles& particles, Scratch& scratch);

}  // namespace evident
