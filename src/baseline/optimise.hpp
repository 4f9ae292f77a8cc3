// The largest likelihood near a point, on the unconstrained scale.
#pragma once

#include <cstddef>
#include <vector>

#include "evident/base/context.hpp"
#include "evident/path/target.hpp"
#include "scout/climb.hpp"

namespace evident {

/// Throws RunError when asked to stop.
Climb largest_likelihood(const TemperedTarget& target, const std::vector<double>& start, const SearchBox& box,
                         std::size_t max_evaluations, const Context& context);

}  // namespace evident
