#include "evident/base/random.hpp"

#include <bit>
#include <cmath>
#include <numbers>

#include "base/philox.hpp"
#include "base/random_fill.hpp"

namespace evident {

std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> c, std::array<std::uint32_t, 2> k, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    const std::uint64_t product0 = std::uint64_t{philox::kMultiplier0} * c[0];
    const std::uint64_t product1 = std::uint64_t{philox::kMultiplier1} * c[2];
    c = {static_cast<std::uint32_t>(product1 >> 32) ^ c[1] ^ k[0], static_cast<std::uint32_t>(product1),
         static_cast<std::uint32_t>(product0 >> 32) ^ c[3] ^ k[1], static_cast<std::uint32_t>(product0)};
    k[0] += philox::kWeyl0;
    k[1] += philox::kWeyl1;
  }
  return c;
}

namespace {

std::uint64_t join(std::uint32_t low, std::uint32_t high) { return std::uint64_t{high} << 32 | low; }

// 52 random bits and half a step: every value lies strictly between 0 and 1.
double to_uniform(std::uint64_t bits) {
  return std::bit_cast<double>((bits >> 12) | 0x3FF0000000000000U) - (1.0 - 0x1p-53);
}

std::uint32_t low(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
std::uint32_t high(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }

}  // namespace

Stream::Stream(std::array<std::uint32_t, 2> key, DrawIdentity id) : key_(key), counter_(philox::counter(id, 0)) {}

std::uint64_t Stream::bits() {
  if (left_ == 0) {
    const auto words = philox4x32(counter_, key_);
    ++counter_[3];
    buffer_ = {join(words[0], words[1]), join(words[2], words[3])};
    left_ = 2;
  }
  return buffer_[2 - left_--];
}

double Stream::uniform() { return to_uniform(bits()); }

double Stream::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_normal_;
  }
  const double radius = std::sqrt(-2.0 * std::log(uniform()));
  const double angle = 2.0 * std::numbers::pi * uniform();
  spare_normal_ = radius * std::sin(angle);
  has_spare_ = true;
  return radius * std::cos(angle);
}

Streams::Streams(const RunIdentity& run) {
  // Philox itself mixes the identity into a key, so that nearby seeds share nothing.
  const auto first =
      philox4x32({low(run.data_set), high(run.data_set), run.model, run.replicate}, {low(run.seed), high(run.seed)});
  const auto second = philox4x32({first[2], first[3], low(run.seed), high(run.seed)}, {first[0], first[1]});
  key_ = {second[0], second[1]};
}

Streams Streams::part(std::uint64_t tag) const {
  const auto mixed = philox4x32({low(tag), high(tag), 0x70617274U, 0}, key_);
  const auto again = philox4x32({mixed[2], mixed[3], key_[0], key_[1]}, {mixed[0], mixed[1]});
  return Streams(std::array<std::uint32_t, 2>{again[0], again[1]});
}

void Streams::fill_uniform(const DrawIdentity& id, Block out) const { random_fill::uniform(key_, id, out); }

void Streams::fill_normal(const DrawIdentity& id, Block out) const { random_fill::normal(key_, id, out); }

}  // namespace evident
