// Relative evidence: from the posterior of one model to that of the next (paper, Algorithm 3, "SMC3").
//
// On the pair (M, M') the prior probability of M' grows from 0 to 1: pi_alpha(M') = alpha. The ratio of the normalising
// constants is p(y|M') / p(y|M). A chain of models is walked link by link; each link starts from the particles that the
// last one ended with.
//
//   const std::vector<ModelIndex> chain = {3, 4, 5};
//   const RelativeRun run = relative_evidence(family, chain, {.particles = 1000}, {}, context);
//   run.links[0].log_ratio;                  // log p(y|4) - log p(y|3)
#pragma once

#include <span>
#include <vector>

#include "evident/smc/sampler.hpp"
#include "smc/all_in_one.hpp"

namespace evident {

struct RelativeLink {
  ModelIndex from = 0, to = 0;
  double log_ratio = 0;       ///< log p(y|to) / p(y|from), standard estimate
  double log_ratio_path = 0;  ///< the same by path sampling
  /// Steps in the prior probability of `to`; `mean` is the posterior share of `to`.
  Trace trace;
  std::vector<JumpTally> jumps;
  bool settled = true;   ///< false when jumps back were so rare that the start of the link may be off
  Population particles;  ///< equally weighted draws from the posterior of `to`
};

struct RelativeRun {
  Run first;  ///< direct run of the first model of the chain
  std::vector<RelativeLink> links;
};

RelativeRun relative_evidence(const ModelFamily& family, std::span<const ModelIndex> chain, const SmcOptions& options,
                              const UnionOptions& union_options, const Context& context,
                              UnionObserver* observer = nullptr);

}  // namespace evident
