// Truths drawn from a prior: with these, and only these, an honest analysis is calibrated exactly.
//
//   Stream stream = ...;
//   RateConstants k = draw_rates(stream);             // one, two or three compartments, each as probable
//
// The prior is "wide" of imaging/pet/fit/priors.hpp, written out here once more: phi uniform from 1e-4 to 1 per
// minute, the slowest theta uniform from 1e-3 to 0.5, each further one from the one before to 1.5.
#pragma once

#include <span>

#include "evident/base/random.hpp"
#include "imaging/phantom/kinetics.hpp"

namespace evident::imaging {

RateConstants draw_rates(Stream& stream);

/// The rate constants of the response sum phi_d exp(-theta_d t), of one to three terms; phi above 0, theta increasing.
RateConstants rates_of_exponentials(std::span<const double> phi, std::span<const double> theta);

}  // namespace evident::imaging
