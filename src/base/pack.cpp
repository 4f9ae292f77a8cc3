#include "base/pack.hpp"

namespace evident {

std::uint64_t sum_of_bytes(std::span<const std::byte> bytes) {
  constexpr std::uint64_t kPrime = 1099511628211ULL;
  std::uint64_t sum = 14695981039346656037ULL, word = 0;
  std::size_t i = 0;
  for (; i + sizeof word <= bytes.size(); i += sizeof word) {
    std::memcpy(&word, bytes.data() + i, sizeof word);
    sum = (sum ^ word) * kPrime;
    sum ^= sum >> 32U;
  }
  for (; i < bytes.size(); ++i) sum = (sum ^ std::to_integer<std::uint64_t>(bytes[i])) * kPrime;
  return sum;
}

void Packer::add(const void* from, std::size_t size) {
  const auto* begin = static_cast<const std::byte*>(from);
  bytes_.insert(bytes_.end(), begin, begin + size);
}

}  // namespace evident
