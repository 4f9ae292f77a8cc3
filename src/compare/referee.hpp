// Nested sampling beside the islands of a model. It goes another way, so that what misleads powers of the likelihood
// does not mislead it.
#pragma once

#include <cstdint>
#include <optional>

#include "evident/base/context.hpp"
#include "evident/model/model.hpp"
#include "judge/observations.hpp"
#include "nested/nested.hpp"

namespace evident {

/// Of the small nested run beside islands with so many particles.
NestedOptions probe_options(std::size_t particles, std::size_t max_prior_draws);

class Referee {
 public:
  /// `particles` are those of an island, and so are the draws of the prior that it may take to find possible ones.
  Referee(const Model& model, std::size_t particles, std::size_t max_prior_draws, const Context& context)
      : model_(model), particles_(particles), max_prior_draws_(max_prior_draws), context_(context) {}

  /// Powers of the likelihood may miss a narrow spike in every island alike, and then nothing in the islands shows it.
  /// A small nested run looks whether there is more than `best`. Nothing when it failed. Evaluations are added up.
  std::optional<Estimate> probe(const Estimate& best, std::uint64_t& evaluations) const;
  /// A pilot and four islands of nested sampling.
  RefereeNumbers ask(std::uint64_t& evaluations) const;

 private:
  const Model& model_;
  std::size_t particles_, max_prior_draws_;
  const Context& context_;
};

}  // namespace evident
