// The compartment model written down as plainly as possible, for tests and as a yardstick of speed.
//
//   double a = pet_log_likelihood_exact(options, plasma, frames, curve, theta);   // exact convolution, piece by piece
//   double b = pet_log_likelihood_table(options, table, curve, theta);            // the same table as the fast kernels
//
// `theta` holds the parameters in the order of PetCompartments. One logarithm per frame, no products, no lanes.
#pragma once

#include <span>

#include "models/pet/convolution_table.hpp"
#include "models/pet/input.hpp"
#include "models/pet/options.hpp"

namespace evident {

double pet_log_likelihood_exact(const PetOptions& options, const PetInput& input, const PetFrames& frames,
                                std::span<const double> activity, std::span<const double> theta,
                                const PetBlood& blood = {});

/// With the blood of the table.
double pet_log_likelihood_table(const PetOptions& options, const ConvolutionTable& table,
                                std::span<const double> activity, std::span<const double> theta);

}  // namespace evident
