// Sequential Monte Carlo that starts from a density which knows the posterior's shape instead of from the prior: the
// target is tempered from q to the posterior along q^(1 - alpha) (prior x likelihood)^alpha. The path is short, so that
// a few steps do.
//
//   const ImportanceEvidence e = importance_evidence(model, particles, {}, context);
//   if (!e.usable) log_evidence = standard_estimate(from_density(model, *e.density, options, context).trace);
#pragma once

#include "evident/smc/sampler.hpp"
#include "proposal/importance.hpp"

namespace evident {

/// The particles of the run live on the coordinates z of `model`, which are its theta, too.
Run from_density(const Model& model, const QuickMixture& density, const SmcOptions& options, const Context& context);

}  // namespace evident
