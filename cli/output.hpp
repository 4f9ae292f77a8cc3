// Writing to standard output, where a full disk or a closed pipe must not pass unnoticed.
#pragma once

#include <string_view>

namespace evident::cli {

/// Throws RunError when it cannot be written.
void print(std::string_view text);

}  // namespace evident::cli
