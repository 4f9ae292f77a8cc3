// The parameters of a formula model: their names, priors and nodes.
#pragma once

#include "evident/formula/model.hpp"
#include "evident/model/parameters.hpp"
#include "formula/build.hpp"

namespace evident::formula {

/// Adds the parameters to the space and makes their names known. Throws FormulaError.
void add_parameters(const std::vector<Definition>& parameters, Builder& builder, ParameterSpace& space);

}  // namespace evident::formula
