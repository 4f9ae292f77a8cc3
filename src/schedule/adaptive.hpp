// The search for the next step of an adaptive schedule.
#pragma once

#include "evident/schedule/schedule.hpp"

namespace evident {

enum class Criterion { cess, ess };

/// The step delta at which CESS/N (or ESS relative to the current ESS) equals `target`; 1 - alpha when even that is not
/// too far. Particles with log likelihood -inf vanish at any positive step, so both criteria are taken relative to
/// their limit for delta -> 0.
double adaptive_step(Criterion criterion, double target, const ScheduleView& view);

}  // namespace evident
