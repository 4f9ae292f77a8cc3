// Numbers that no scan holds. They are refused where they are read, so that nothing behind can overflow.
#pragma once

#include <span>
#include <string>

namespace evident::imaging {

/// Activities in kBq/mL, or NaN where one is missing; throws InputError, which begins with `place`, for one beyond
/// 1e30.
void check_activities(std::span<const double> values, const std::string& place);

/// Seconds; throws InputError, which begins with `place`, for one beyond 1e9, which is 30 years, and for NaN.
void check_times(std::span<const double> seconds, const std::string& place);

}  // namespace evident::imaging
