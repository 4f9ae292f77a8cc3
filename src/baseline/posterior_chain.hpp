// Many chains side by side on the posterior of one model.
//
//   const PosteriorChainRun run = posterior_chain(model, {.chains = 64, .iterations = 500}, context);
//   run.draws.theta(0, t * run.chains + c);    // parameter 0 of chain c at kept iteration t
//
// Chains start from the particles of a quick direct run (few particles, long steps), so near the posterior; the kernel
// learns during the burn-in and is frozen afterwards.
#pragma once

#include <cstddef>

#include "evident/base/context.hpp"
#include "evident/baseline/options.hpp"
#include "evident/model/model.hpp"
#include "evident/particles/population.hpp"

namespace evident {

struct PosteriorChainRun {
  Population draws;  ///< equally weighted; column t * chains + c
  std::size_t chains = 0, iterations = 0;
  double acceptance = 0;  ///< after the burn-in
  std::size_t evaluations = 0, nan_evaluations = 0;
};

PosteriorChainRun posterior_chain(const Model& model, const PosteriorChainOptions& options, const Context& context);

}  // namespace evident
