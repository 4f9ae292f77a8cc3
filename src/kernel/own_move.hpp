// A model's own move (model/model.hpp) on one block of particles.
#pragma once

#include <cstdint>

#include "evident/base/context.hpp"
#include "kernel/metropolis.hpp"

namespace evident {

struct MoveNumber {
  std::uint32_t step, pass;
};

/// Does nothing when the model has none. Keeps z, the Jacobian and the log prior of the population true.
void apply_own_move(const TemperedTarget& target, const Context& context, const MoveNumber& number, const Particles& p,
                    Scratch& scratch);

}  // namespace evident
