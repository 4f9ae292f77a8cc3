// The delay between the blood samples and the tissue.
//
// The mean curve is fitted by spectral analysis (a sum of many exponentials with weights that are not negative, least
// squares) for a range of delays, and the best one is taken. No compartment model is chosen for that, and there is no
// local optimum.
#pragma once

#include <span>

#include "imaging/pet/blood/blood.hpp"
#include "models/pet/frames.hpp"

namespace evident::imaging {

/// Seconds by which the input must be shifted, within 60 s of 0 and good to half a second.
double find_delay(const InputFunction& input, const PetFrames& frames, std::span<const double> activity, double vb);

}  // namespace evident::imaging
