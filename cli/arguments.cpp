#include "arguments.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

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

}  // namespace evident::cli
