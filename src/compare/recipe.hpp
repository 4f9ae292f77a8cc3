// The recipe of a comparison.
#pragma once

#include "evident/compare/compare.hpp"

namespace evident {

/// Throws InputError when a goal is out of range, or cannot be reached by this recipe.
void check_goal(const CompareOptions& options);

}  // namespace evident
