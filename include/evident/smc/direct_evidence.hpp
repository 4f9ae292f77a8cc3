// Direct evidence: one sampler from the prior to the posterior of one model (paper, Algorithms 2 and 4, "SMC2").
//
//   const Run run = direct_evidence(*model, {.particles = 1000}, context);
//   double log_evidence = standard_estimate(run.trace);
#pragma once

#include "evident/base/context.hpp"
#include "evident/model/model.hpp"
#include "evident/particles/population.hpp"
#include "evident/path/observer.hpp"
#include "evident/path/trace.hpp"
#include "evident/smc/options.hpp"

namespace evident {

struct Run {
  Trace trace;
  Population particles;  ///< weighted draws from the posterior
};

Run direct_evidence(const Model& model, const SmcOptions& options, const Context& context,
                    Observer* observer = nullptr);

}  // namespace evident
