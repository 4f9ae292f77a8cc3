// What is said when no draw of the prior has a likelihood.
#pragma once

#include <cstddef>
#include <string>

#include "evident/path/target.hpp"

namespace evident {

/// "the likelihood is zero (log likelihood -inf) at all 1000 draws from the prior", or that it is NaN there.
std::string nowhere_possible(std::size_t draws, const EvaluationCount& count);

}  // namespace evident
