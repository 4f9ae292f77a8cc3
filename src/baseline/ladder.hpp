// The shape of a ladder of tempering parameters, and how it is spread so that all exchanges are accepted alike.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "evident/schedule/schedule.hpp"

namespace evident {

/// Tempering parameters from 0 to 1. The list of a ListSchedule is taken as it is; for the other fixed schedules the
/// number of steps is chains - 1. Throws InputError for an adaptive schedule.
std::vector<double> ladder(const Schedule& shape, std::size_t chains);

/// The cumulative rejection rate is a length along the path that hardly depends on where the rungs stand (the
/// communication barrier of Syed, Bouchard-Cote, Deligiannidis and Doucet 2022): rungs at equal distances of it have
/// equal rates. `rejection[c]` is the rate between rungs c and c+1.
std::vector<double> respaced(std::span<const double> alphas, std::span<const double> rejection);

}  // namespace evident
