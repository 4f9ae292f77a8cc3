// Text for terminals: how wide it is, how it is padded and shortened, and how times are told.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/printable.hpp"
#include "evident/report/document.hpp"

namespace evident::report {

/// Columns that `text` takes on a terminal.
std::size_t display_width(std::string_view text);
using evident::printable;
/// Padded on the right, or cut and marked with "..", to exactly `width` columns.
std::string fitted(std::string_view text, std::size_t width);
/// "0.4 s", "12 s", "3:05", "2:03:05".
std::string duration(double seconds);

}  // namespace evident::report
