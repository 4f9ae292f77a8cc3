// Metropolis-Hastings-Green: moves between models, in one place for all samplers that make them.
//
// The target is pi(k, theta) proportional to p(k) prior_k(theta) likelihood_k(theta)^alpha. A proposal from (k, theta)
// to (k', theta') by a jump is accepted with probability min(1, r),
//
//   log r = log pi(k', theta') + log_choice(back) + log_auxiliary(u') - log pi(k, theta) - log_choice -
//   log_auxiliary(u) + log |J|.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "evident/base/context.hpp"
#include "evident/model/family.hpp"
#include "evident/path/target.hpp"
#include "particles/union_population.hpp"

namespace evident {

/// What is invariant under the moves.
struct UnionTarget {
  const ModelFamily& family;
  const ModelPrior& models;  ///< p(k); need not be the family's own
  double alpha = 1;
  EvaluationCount& count;
};

struct JumpReport {
  std::size_t proposed = 0, accepted = 0;  ///< over all particles; a jump that could not be tried is not counted
  double acceptance() const {
    return proposed == 0 ? 0 : static_cast<double>(accepted) / static_cast<double>(proposed);
  }
};

/// One proposal of each kind of jump for every particle. Weights stay with their particles. Random numbers are keyed by
/// (step, particle, pass).
std::vector<JumpReport> jump(const UnionTarget& target, UnionPopulation& x, const Context& context, std::uint32_t step,
                             std::uint32_t pass);

/// The log acceptance ratio of one proposal, and where it leads: the formula above, used by `jump` and by tests.
struct JumpProposal {
  JumpChoice choice;
  std::vector<double> theta;  ///< theta'
  double log_proposal = 0;    ///< all terms of log r that do not hold pi
};
std::optional<JumpProposal> propose(const Jump& jump, const UnionTarget& target, ModelIndex from,
                                    std::span<const double> theta, Stream& random);

}  // namespace evident
