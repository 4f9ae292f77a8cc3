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

/// Accepts or rejects; `log_correction` (may be null) is log q(z|z') - log q(z'|z). Sets scratch.mask and returns the
/// number accepted. `id` gives the uniforms.
std::size_t accept_or_reject(const TemperedTarget& target, const Streams& streams, const DrawIdentity& id,
                             const double* log_correction, const Particles& particles, Scratch& scratch);

}  // namespace evident
