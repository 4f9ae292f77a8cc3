// Resampling: from weights to the list of particles that live on.
//
// Every scheme keeps the expected number of copies of particle i at N W_i.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "evident/base/random.hpp"
#include "evident/particles/population.hpp"

namespace evident {

std::string_view name(ResampleScheme scheme);
/// Throws InputError, with the nearest known name, when there is none of that name.
ResampleScheme resample_scheme(std::string_view name);

/// Parents of the `count` new particles, in increasing order, so that copies of one parent are neighbours.
/// `weights` are normalised; the random numbers come from purpose `resample` at `step`.
std::vector<std::uint32_t> resample(ResampleScheme scheme, std::span<const double> weights, std::size_t count,
                                    const Streams& streams, std::uint32_t step);

}  // namespace evident
