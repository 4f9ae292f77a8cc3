// A whole run from the prior to the posterior, with any kernel.
#pragma once

#include "evident/kernel/kernel.hpp"
#include "evident/smc/sampler.hpp"

namespace evident {

/// The options have been checked.
Run from_prior(const Model& model, Kernel& kernel, const SmcOptions& options, const Context& context,
               Observer* observer);

}  // namespace evident
