// What the results of a study depend on: its text, its data, and what it was told on the command line.
#pragma once

#include "compare/identity.hpp"
#include "evident/study/study.hpp"
#include "journal/journal.hpp"

namespace evident::study {

/// For a checkpoint (compare/checkpoint.hpp), and without the likelihood for finished results. Files are read again.
JournalIdentity study_identity(const Study& study, LikelihoodAtDraws likelihood = LikelihoodAtDraws::yes);

}  // namespace evident::study
