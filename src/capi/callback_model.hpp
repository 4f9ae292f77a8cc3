// A model whose likelihood is a function of the caller's program.
//
//   evident_functions f = {.size = sizeof f, .log_likelihood = mine};
//   std::shared_ptr<const Model> model = callback_model(std::move(space), f);
#pragma once

#include <memory>

#include "evident/evident.h"
#include "evident/model/model.hpp"

namespace evident::capi {

/// Copies the functions and the observations. Throws InputError when they do not belong together.
std::shared_ptr<const Model> callback_model(ParameterSpace space, const evident_functions& functions);

}  // namespace evident::capi
