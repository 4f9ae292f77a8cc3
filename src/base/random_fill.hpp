// The vectorised fills behind Streams; lanes are particles. Uniforms are the same bits as Stream::uniform, normals
// agree with Stream::normal to rounding.
#pragma once

#include <array>
#include <cstdint>

#include "evident/base/random.hpp"

namespace evident::random_fill {

void uniform(std::array<std::uint32_t, 2> key, const DrawIdentity& id, Block out);
void normal(std::array<std::uint32_t, 2> key, const DrawIdentity& id, Block out);
/// Normals of single precision in a third of the time, for proposals of a random walk: 32 random bits each, and at most
/// 6.7 from zero. Other numbers than those of `normal`.
void rough_normal(std::array<std::uint32_t, 2> key, const DrawIdentity& id, Block out);
/// Uniforms of 32 bits in a quarter of the time, for decisions; out is aligned and padded. Other numbers than those of
/// `uniform`.
void rough_uniform(std::array<std::uint32_t, 2> key, const DrawIdentity& id, double* out, std::size_t n);

/// Rough fills use all words of a call, and seven rounds, the fewest that pass the usual tests (Salmon et al. 2011).
/// Where `parts` particles share a call, they are this far apart.
constexpr std::size_t rough_part(std::size_t padded_size, std::size_t parts) {
  return padded((padded_size + parts - 1) / parts);
}

}  // namespace evident::random_fill
