// Numbers from and to bytes of either order.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>

namespace evident {

inline constexpr bool kBigEndianHost = std::endian::native == std::endian::big;

/// The number at `bytes`; `swap` when its bytes are in the order that is not the machine's.
template <class T>
T load(const std::byte* bytes, bool swap) {
  std::array<std::byte, sizeof(T)> copy;
  std::memcpy(copy.data(), bytes, sizeof(T));
  if (swap) std::reverse(copy.begin(), copy.end());
  return std::bit_cast<T>(copy);
}

template <class T>
void store(std::byte* bytes, T value) {
  std::memcpy(bytes, &value, sizeof(T));
}

/// Always the small end first, whatever the machine: for formats of our own.
template <class T>
void store_little(std::byte* bytes, T value) {
  store(bytes, value);
  if (kBigEndianHost) std::reverse(bytes, bytes + sizeof(T));
}

template <class T>
T load_little(const std::byte* bytes) {
  return load<T>(bytes, kBigEndianHost);
}

}  // namespace evident
