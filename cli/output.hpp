// Writing to standard output, where a full disk or a closed pipe must not pass unnoticed; and to standard error.
#pragma once

#include <string_view>

namespace evident::cli {

/// Throws RunError when it cannot be written.
void print(std::string_view text);
/// To standard error.
void tell(std::string_view text);
/// From now on nothing is printed nor told: of several ranks one talks.
void be_silent();

/// A line on standard error that begins with "evident: ".
void notice(std::string_view line);

}  // namespace evident::cli
