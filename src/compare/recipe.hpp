// The recipe of a comparison.
#pragma once

#include <string>

#include "evident/compare/compare.hpp"

namespace evident {

/// Throws InputError when a goal is out of range, or cannot be reached by this recipe; then it says what to remove.
void check_goal(const CompareOptions& options, const std::string& to_remove = "'replicates' or 'islands'");

}  // namespace evident
