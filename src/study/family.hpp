// From the tables of a study to a family of models, for the methods that run on the union of the models.
#pragma once

#include <vector>

#include "evident/study/study.hpp"
#include "study/drafts.hpp"

namespace evident::study {

/// The family of the listed models. Throws InputError when there are no jumps between them.
FamilyCandidate family_of(const std::vector<Draft>& drafts, Method method, DataFiles& files);

/// The family of a [family] table, with the name of its kind. Throws InputError when the method cannot use it.
FamilyCandidate family_of(const Section& section, Method method, DataFiles& files);

}  // namespace evident::study
