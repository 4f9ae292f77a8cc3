// Random numbers of the draws that are made after a comparison, the same wherever they are made.
#pragma once

#include <cstdint>
#include <string_view>

#include "evident/compare/compare.hpp"

namespace evident::report {

inline constexpr std::uint64_t kPriorPart = 0x7072696f72, kPredictivePart = 0x70726564, kAveragedPart = 0x61766572;
inline constexpr std::size_t kPriorDraws = 1000;

/// A number of its own for each name, so that a model alone gets the same draws as in company (FNV-1a).
inline Streams draw_streams(const CompareOptions& options, std::string_view name, std::uint64_t part) {
  std::uint32_t hash = 2166136261u;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return Streams({.seed = options.seed, .data_set = options.data_set, .model = hash}).part(part);
}

}  // namespace evident::report
