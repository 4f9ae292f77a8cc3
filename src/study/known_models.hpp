// The models behind a finished study, by the names that its result has: what prior draws and predictions are made from.
//
//   document.add_models(study::known_models(study, result), study.options);
#pragma once

#include <vector>

#include "evident/compare/compare.hpp"
#include "evident/study/study.hpp"

namespace evident::study {

/// Those of the study, or of its [family] those in the result.
std::vector<Candidate> known_models(const Study& study, const Comparison& result);

}  // namespace evident::study
