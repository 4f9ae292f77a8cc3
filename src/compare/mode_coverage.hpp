// Are the modes that were found before the runs among their particles?
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "compare/runs/run.hpp"
#include "judge/observations.hpp"
#include "scout/scout.hpp"

namespace evident {

/// Of the modes whose mass is known by draws: where they are, their mass, and the share of the particles around them.
std::vector<ModeNumbers> observe_modes(const Model& model, const Scouted& found,
                                       std::span<const runs::Finished> islands);

/// Draws of the prior that are looked at beside those of the runs, which are so many in all.
std::size_t draws_beside(std::size_t drawn);

/// Looks for modes that no climb has found: from the densest particle of each run, and from the densest of many draws
/// from the prior, since nothing but draws can meet a spike that nothing leads to.
void look_around(const Model& model, std::span<const runs::Finished> islands, Scouted& found, const Context& context);

}  // namespace evident
