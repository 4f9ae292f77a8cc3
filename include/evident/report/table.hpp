// The result as a table for people.
//
//   fputs(to_table(comparison, detect_style(STDOUT_FILENO)).c_str(), stdout);
#pragma once

#include <string>

#include "evident/compare/compare.hpp"
#include "evident/report/text.hpp"

namespace evident::report {

/// Standard error of a model's log evidence: that of its runs together, or from within them; NaN when neither is known.
double evidence_error(const ModelResult& model);

/// One line a model, in the order of the study, then the warnings. Of a large family the first 40 models are shown.
/// Ends with a line break.
std::string to_table(const Comparison& comparison, const TextStyle& style);

}  // namespace evident::report
