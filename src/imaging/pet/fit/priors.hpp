// Priors of the compartment models for scans in kBq/mL: presets by name, or a TOML file.
//
//   PetOptions options = pet_prior("wide", 2, scan.remaining_decay());
//   PetOptions own = pet_prior("my-tracer.toml", 2, 0);
//
//   wide          for decay-corrected data of any tracer, below
//   zhou2013-n    Zhou, Aston and Johansen (2013), simulated curve: Normal noise
//   zhou2013-i    the same, measured carbon-11 data: Student t noise
//
// "wide" has the bounds on rate constants that users of kinfitr know (K1 from 1e-4 to 1, k2 to k4 up to 0.5 per
// minute), carried over to phi and theta: phi from 1e-4 to 1 per minute each, as K1 is their sum; the slowest theta
// from 1e-3 to 0.5 per minute, the others up to 1.5, the largest k2 + k3 + k4. Slower than 1e-3 per minute cannot be
// told from trapping: over 90 minutes it is a loss of 9 %, and V_T would be a guess. Noise is Student t, lambda ~
// Gamma(0.1, scale 10): vague for kBq/mL and seconds, where lambda lies around 0.01 (voxels) to 10 (regions).
// Predictions below 0.1 kBq/mL count as 0.1 in the variance, so that frames before the arrival have one.
//
// A file, all keys optional:
//
//   preset = "wide"                    # where to start
//   unit = "1/min"                     # of the bounds: 1/min or 1/s
//   phi_lower = [1e-4]                 # one per compartment; the last serves all that follow
//   phi_upper = [0.6]
//   theta_lower = [0.01, 0.05]
//   theta_upper = [0.1, 1.0]
//   noise = "student"                  # or "normal"
//   precision_shape = 0.1              # of lambda, in 1/(kBq/mL s)
//   precision_scale = 10
//   activity_floor = 0.1               # kBq/mL
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/pet/options.hpp"

namespace evident::imaging {

std::span<const std::string_view> pet_prior_names();

/// `decay` is the decay that is left in the data, in 1/s (0 for corrected data); bounds of theta in presets and files
/// are without it and are raised by it (in the published presets, the lower bounds only). Throws InputError for an
/// unknown name, and with file and line for a bad file.
PetOptions pet_prior(const std::string& name_or_file, std::size_t compartments, double decay);

/// The prior in words, one line each, in 1/min and kBq/mL.
std::vector<std::string> prior_lines(const PetOptions& options);

}  // namespace evident::imaging
