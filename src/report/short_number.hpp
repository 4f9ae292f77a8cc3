// Numbers for documents that people look at rather than compute with: six digits, null for what is not finite.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <span>

namespace evident::report {

inline nlohmann::ordered_json short_number(double value) {
  if (!std::isfinite(value)) return nullptr;
  if (value == std::floor(value) && std::abs(value) < 1e6) return static_cast<long long>(value);
  return std::strtod(fmt::format("{:.6g}", value).c_str(), nullptr);
}

inline nlohmann::ordered_json short_numbers(std::span<const double> values) {
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  for (const double v : values) out.push_back(short_number(v));
  return out;
}

}  // namespace evident::report
