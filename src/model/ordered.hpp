// Ordered vectors: entries in increasing order, as draws of one prior that were sorted.
//
//   ParameterSpace space;
//   add_ordered(space, "cut", normal(0, 5), 3);     // cut[1] < cut[2] < cut[3]
#pragma once

#include <cstddef>
#include <string>

#include "evident/model/parameters.hpp"

namespace evident {

/// Adds `count` parameters name[1], name[2], ... Throws InputError.
void add_ordered(ParameterSpace& space, const std::string& name, const Distribution& prior, std::size_t count);

}  // namespace evident
