// Importance sampling: the evidence from a density that learns the posterior's shape from particles and from its own
// draws (Cappe et al. 2008), with the prior mixed in (Hesterberg 1995).
//
//   const Run run = direct_evidence(*model, {.particles = 400}, context);
//   const ImportanceEvidence e = importance_evidence(*model, run.particles, {}, context);
//   if (e.usable) std::printf("%.3f +- %.3f\n", e.log_evidence.value, e.log_evidence.standard_error);
//
// It takes a few thousand evaluations and little else, so that it pays where many small problems are to be solved one
// after another; bridge.hpp fits with more care. The estimate comes from draws that had no part in the fit. That some
// of them come from the prior bounds their weights by the likelihood's own spread, and finds what particles and fit
// both miss, unless it is too small a part of the prior.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "evident/base/context.hpp"
#include "evident/base/estimate.hpp"
#include "evident/model/model.hpp"
#include "evident/particles/population.hpp"

namespace evident {

class QuickMixture;

struct ImportanceOptions {
  std::size_t components = 4;       ///< of the fit, at most
  std::size_t round = 512;          ///< draws that one fit learns from
  std::size_t rounds = 6;           ///< of learning, at most
  double efficiency = 0.2;          ///< learning ends when so large a share of the draws is effective
  double standard_error = 0.05;     ///< of the log evidence, that the draws of the estimate are counted out for
  std::size_t most = 4096;          ///< draws of the estimate, at most
  double prior = 0.1, wide = 0.05;  ///< shares of the draws from the prior, and from around all of the particles
};

struct ImportanceEvidence {
  Estimate log_evidence = {};   ///< its error is larger than the weights show where their tail is heavy
  double efficiency = 0;        ///< effective share of the draws
  double largest_share = 0;     ///< of one draw in the estimate
  double pareto_k = 0;          ///< tail of the weights; above 0.7 their spread cannot be relied on
  double unseen = 0;            ///< share of the particles' weight that lies where the draws hardly go
  std::size_t evaluations = 0;  ///< of the likelihood
  std::size_t rounds = 0;       ///< of learning
  bool usable = false;
  std::string_view reason = {};  ///< why it is not usable
  /// What was learned, without the prior: where an estimate is not usable it still is a better place to start from than
  /// the prior (smc/from_density.hpp).
  std::shared_ptr<const QuickMixture> density = {};
};

/// `particles` are weighted draws from the posterior. Throws RunError when they have no finite density, or no or too
/// many coordinates.
ImportanceEvidence importance_evidence(const Model& model, const Population& particles,
                                       const ImportanceOptions& options, const Context& context);

}  // namespace evident
