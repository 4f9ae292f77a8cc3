// The constants and the counter layout of Philox 4x32, shared by the scalar and the vector form.
#pragma once

#include <array>
#include <cstdint>

#include "evident/base/random.hpp"

namespace evident::philox {

inline constexpr std::uint32_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
inline constexpr std::uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;
inline constexpr int kRounds = 10;
inline constexpr int kFewRounds = 7;  ///< of the rough fills

/// (particle, step, purpose and pass, draw number).
inline std::array<std::uint32_t, 4> counter(const DrawIdentity& id, std::uint32_t draw) {
  return {id.particle, id.step, static_cast<std::uint32_t>(id.purpose) | (id.pass << 8), draw};
}

}  // namespace evident::philox
