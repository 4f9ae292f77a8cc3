// What a comparison is, so that a checkpoint is resumed by the same one only.
//
//   Checkpoint checkpoint({.folder = "study.checkpoint"}, comparison_identity(candidates, options));
#pragma once

#include <vector>

#include "evident/compare/compare.hpp"
#include "journal/journal.hpp"

namespace evident {

/// Is the likelihood at two draws of each prior a part of it? It costs evaluations.
enum class LikelihoodAtDraws { no, yes };

/// What the numbers of a comparison depend on: options, models, priors and likelihoods.
JournalIdentity comparison_identity(const std::vector<Candidate>& candidates, const CompareOptions& options,
                                    LikelihoodAtDraws likelihood = LikelihoodAtDraws::yes);
JournalIdentity comparison_identity(const FamilyCandidate& candidate, const CompareOptions& options,
                                    LikelihoodAtDraws likelihood = LikelihoodAtDraws::yes);

}  // namespace evident
