// Probabilities of models, equally probable beforehand, from log evidences that are known up to an error each.
#pragma once

#include <vector>

#include "imaging/fit/curve_fit.hpp"

namespace evident::imaging {

/// Averages over the errors of the log evidences, as far as they are known: a model that is ahead by less than its
/// error is not sure to be. Models without an evidence have probability 0; when none has one they are NaN.
void assign_probabilities(std::vector<ModelFit>& models);

}  // namespace evident::imaging
