#include "arguments.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <string_view>

#include "base/option.hpp"
#include "evident/base/error.hpp"

namespace evident::cli {

std::uint64_t whole_number(const std::string& key, const std::string& text, std::uint64_t lower, std::uint64_t upper) {
  std::uint64_t value = 0;
  const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = status == std::errc{} && stop == text.data() + text.size();
  if (!whole || value < lower || value > upper) {
    throw InputError(
        fmt::format("{} must be a whole number between {} and {}, was '{}'", option(key), lower, upper, text));
  }
  return value;
}

double real_number(const std::string& key, const std::string& text, double lower, double upper, bool open) {
  double value = 0;
  const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool number = status == std::errc{} && stop == text.data() + text.size() && std::isfinite(value);
  const bool inside = open ? value > lower && value < upper : value >= lower && value <= upper;
  if (!number || !inside) {
    throw InputError(
        open ? fmt::format("{} must be a number above {} and below {}, was '{}'", option(key), lower, upper, text)
             : fmt::format("{} must be a number from {} to {}, was '{}'", option(key), lower, upper, text));
  }
  return value;
}

std::uint64_t bytes_of(const std::string& key, const std::string& text) {
  constexpr std::string_view kUnits = "KMGT";
  constexpr std::uint64_t kMost = std::uint64_t{1} << 60U;
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, status] = std::from_chars(text.data(), end, value);
  std::string_view unit(stop, static_cast<std::size_t>(end - stop));
  if (unit.size() == 2 && unit.ends_with('B')) unit.remove_suffix(1);
  const std::size_t place = unit.empty() ? std::string_view::npos : kUnits.find(unit);
  const bool known = unit.empty() || place != std::string_view::npos;
  const std::uint64_t factor = unit.empty() || !known ? 1 : std::uint64_t{1} << (10 * (place + 1));
  if (status != std::errc{} || !known || value == 0 || value > kMost / factor)
    throw InputError(fmt::format("{} must be a size above 0, such as 500M or 2G, was '{}'", option(key), text));
  return value * factor;
}

}  // namespace evident::cli
