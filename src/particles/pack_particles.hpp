// Particles to bytes and back, with their weights and ancestors: the bits of a population that goes on.
#pragma once

#include "base/pack.hpp"
#include "evident/particles/population.hpp"

namespace evident {

/// All the particles must be here, not spread over ranks.
void put_population(Packer& out, const Population& x);
/// Throws RunError when the bytes are no population of the model.
Population get_population(Unpacker& in, const Model& model);

void put_generations(Packer& out, const std::vector<Generation>& generations);
std::vector<Generation> get_generations(Unpacker& in);

}  // namespace evident
