// What NaN likelihoods, which count as impossible, can have done to an evidence.
//
// Z = Z_known + Z_hidden, and only the first is estimated. The second is the integral of prior times likelihood over
// the points where the likelihood is NaN. It is estimated by importance sampling: fresh draws around the posterior and
// from the prior, of which the NaN ones count, with a likelihood continued from possible points
// (proposal/continuation.hpp). Regions of NaN that touch no known posterior mass count as what their surroundings are:
// nothing can be said of what they hide.
#pragma once

#include <optional>
#include <span>

#include "compare/model_runs.hpp"
#include "judge/observations.hpp"

namespace evident {

/// Nothing when the runs met no NaN. The same for any number of threads.
std::optional<FoundNan> find_nan(const Model& model, std::span<const Trace* const> traces,
                                 std::span<const runs::Finished> finished, double log_evidence, const Context& context);
/// For the verdict.
NanNumbers nan_numbers(const Model& model, const FoundNan& found);

}  // namespace evident
