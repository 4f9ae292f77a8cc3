// Bridge sampling: the evidence from posterior draws and a density fitted to them (Meng and Wong 1996; Gronau et al.
// 2017). It needs the last population of a run and a few more likelihood evaluations, and no path.
//
//   const Run run = direct_evidence(*model, {.particles = 1000}, context);
//   const BridgeEvidence b = bridge_evidence(*model, run.particles, {}, context);
//   if (b.usable) std::printf("%.3f +- %.3f\n", b.log_evidence.value, b.log_evidence.standard_error);
//
// One half of the draws shapes the fit, the other half and fresh draws from the fit give the estimate; then the halves
// change places. A small share of the fresh draws comes from broad components, as wide as the prior and wider than the
// draws: where they find mass that no particle has seen, the importance estimate rises above the bridge. Mass that is
// too small a part of the prior to be hit remains unseen: `usable` says that nothing speaks against the estimate.
#pragma once

#include <cstddef>
#include <string>

#include "dist/fitted_mixture.hpp"
#include "evident/base/context.hpp"
#include "evident/evidence/estimate.hpp"
#include "evident/model/model.hpp"
#include "evident/particles/population.hpp"

namespace evident {

struct BridgeOptions {
  std::size_t draws = 0;  ///< fresh draws in all; 0: ten a particle
  double broad = 0.1;     ///< share of them from the broad components
  MixtureFitOptions fit = {};
  const FittedMixture* modes = nullptr;  ///< the fit has a component for each, if there are any
};

/// `particles` are weighted draws from the posterior in any order that keeps copies of one parent side by side. Throws
/// RunError when they cannot carry an estimate: not finite, too few distinct ones, a coordinate that does not vary.
/// A model without free coordinates has its evidence at hand.
BridgeEvidence bridge_evidence(const Model& model, const Population& particles, const BridgeOptions& options,
                               const Context& context);

/// Are half of so many draws too few to shape a density of so many coordinates? Its noise then costs more than it
/// should, and the halves share what is wrong with them. The particles of another run are better for that:
///
///   const FittedMixture density = bridge_density(*model, pilot.run.particles, {}, context);
///   const BridgeEvidence b = bridge_evidence(*model, island.particles, density, {}, context_of_the_island);
bool too_few_for_halves(std::size_t draws, std::size_t coordinates);
/// Fitted to all of the particles, with the broad components. Throws RunError when they cannot carry a fit.
FittedMixture bridge_density(const Model& model, const Population& particles, const BridgeOptions& options,
                             const Context& context);
/// To such a density: `particles` had no part in it, and all of them judge it.
BridgeEvidence bridge_evidence(const Model& model, const Population& particles, const FittedMixture& density,
                               const BridgeOptions& options, const Context& context);

}  // namespace evident
