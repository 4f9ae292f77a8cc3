#include "imaging/pet/io/limits.hpp"

#include <fmt/format.h>

#include <cmath>

#include "evident/base/error.hpp"

namespace evident::imaging {
namespace {

constexpr double kMostActivity = 1e30, kMostSeconds = 1e9;

}  // namespace

void check_activities(std::span<const double> values, const std::string& place) {
  for (const double v : values) {
    if (std::abs(v) > kMostActivity)
      throw InputError(fmt::format("{}: {:.3g} kBq/mL is no activity; look at the value and its unit", place, v));
  }
}

void check_times(std::span<const double> seconds, const std::string& place) {
  for (const double t : seconds) {
    if (!(std::abs(t) <= kMostSeconds))
      throw InputError(fmt::format("{}: {:.3g} s is no time of a scan; look at the value and its unit", place, t));
  }
}

}  // namespace evident::imaging
