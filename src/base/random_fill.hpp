// The vectorised fills behind Streams; lanes are particles. Uniforms are the same bits as Stream::uniform, normals
// agree with Stream::normal to rounding.
#pragma once

#include <array>
#include <cstdint>

#include "evident/base/random.hpp"

namespace evident::random_fill {

void uniform(std::array<std::uint32_t, 2> key, const DrawIdentity& id, Block out);
void normal(std::array<std::uint32_t, 2> key, const DrawIdentity& id, Block out);

}  // namespace evident::random_fill
