// What modes are worth for a run: which of them matter, and a density with a component at each.
//
//   const Scouted found = scout(*model, {}, context);
//   if (const auto modes = mode_mixture(found)) start = PriorAndModes(*model, *modes, 0.2);
#pragma once

#include <optional>
#include <vector>

#include "dist/fitted_mixture.hpp"
#include "scout/scout.hpp"

namespace evident {

/// The modes that hold more than a thousandth of the mass of the largest, by Laplace's method.
std::vector<Mode> modes_that_matter(const Scouted& found);

/// Are there several, and do they hold most of what there is? Where most starts lead to ever new modes, the few that
/// were found are no picture of the posterior.
bool modes_are_known(const Scouted& found);

/// A t component at each of the modes, on z. Half of the weight goes by mass, and half is shared alike, so that a
/// mode whose mass Laplace's method gets wrong has draws, too.
FittedMixture mixture_at(const std::vector<Mode>& modes);

/// At each mode that matters. Nothing unless the modes are known.
std::optional<FittedMixture> mode_mixture(const Scouted& found);

/// The rows of z in which the modes lie apart, by more than their own widths. Moves along one row at a time can then
/// lead from mode to mode, however many there are.
std::vector<std::size_t> rows_apart(const Scouted& found);

}  // namespace evident
