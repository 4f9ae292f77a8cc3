// What the formulas of a [[model]] mention; columns among it are those that the study uses.
#pragma once

#include <string>
#include <vector>

#include "study/section.hpp"

namespace evident::study {

/// Throws InputError for a formula that cannot be read.
std::vector<std::string> names_in_formulas(const Section& model);

}  // namespace evident::study
