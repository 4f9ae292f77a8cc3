// What a comparison is, so that a checkpoint is resumed by the same one only.
//
//   Checkpoint checkpoint({.folder = "study.checkpoint"}, comparison_identity(candidates, options));
#pragma once

#include <vector>

#include "evident/compare/compare.hpp"
#include "journal/journal.hpp"

namespace evident {

/// What the numbers of a comparison depend on: options, models, priors, and the likelihood at two draws of each prior.
JournalIdentity comparison_identity(const std::vector<Candidate>& candidates, const CompareOptions& options);
JournalIdentity comparison_identity(const FamilyCandidate& candidate, const CompareOptions& options);

}  // namespace evident
