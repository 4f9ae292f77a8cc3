// What the results of a study depend on: its text, its data, and what it was told on the command line.
#pragma once

#include "evident/journal/journal.hpp"
#include "evident/study/study.hpp"

namespace evident::study {

/// For a checkpoint (compare/checkpoint.hpp). Files are read again.
JournalIdentity study_identity(const Study& study);

}  // namespace evident::study
