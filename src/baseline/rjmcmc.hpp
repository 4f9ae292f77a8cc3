// Reversible-jump MCMC (Green 1995): chains that walk over the union of the models of a family.
//
//   const RjmcmcRun run = rjmcmc(family, {.chains = 8, .iterations = 10000}, {}, context);
//   run.visits.at(4).share;                  // posterior probability of model 4, from the visits
#pragma once

#include <map>
#include <vector>

#include "evident/base/context.hpp"
#include "evident/base/estimate.hpp"
#include "evident/baseline/options.hpp"
#include "evident/model/family.hpp"
#include "evident/particles/population.hpp"
#include "smc/all_in_one.hpp"

namespace evident {

struct ModelVisits {
  std::size_t visits = 0;  ///< kept iterations in this model, over all chains
  Estimate share;          ///< visits / all kept iterations; its error is of batch means
  Population draws;        ///< thinned draws of the model's parameters, equally weighted
};

struct RjmcmcRun {
  std::map<ModelIndex, ModelVisits> visits;
  std::vector<JumpTally> jumps;  ///< after the burn-in
  double acceptance = 0;         ///< of the moves within models, after the burn-in
  std::size_t evaluations = 0, nan_evaluations = 0;
  double seconds = 0;
};

RjmcmcRun rjmcmc(const ModelFamily& family, const RjmcmcOptions& options, const UnionOptions& union_options,
                 const Context& context);

}  // namespace evident
