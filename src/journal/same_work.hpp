// Ranks of a team that do not do the same work would make numbers out of both. Before any work they compare what they
// are about to do:
//
//   require_same_work(study_identity(study), team);
#pragma once

#include "base/team.hpp"
#include "journal/journal.hpp"

namespace evident {

/// Throws the same InputError on every rank when one of them is about to do something else than rank 0.
void require_same_work(const JournalIdentity& own, Team& team);

}  // namespace evident
