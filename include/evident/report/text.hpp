// Text for terminals: how wide it is, how it is padded and shortened, and how times are told.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace evident::report {

/// What the terminal (or file) behind a stream can show.
struct TextStyle {
  std::size_t width = 80, height = 24;
  bool terminal = false;
  bool cursor = false;  ///< a terminal that can draw over what it shows
  bool colour = false;
  bool unicode = false;
};

/// The style of a file descriptor: asks the terminal for its width, and the environment (NO_COLOR, TERM, LC_ALL,
/// LC_CTYPE, LANG) for the rest.
TextStyle detect_style(int descriptor);

/// Columns that `text` takes on a terminal.
std::size_t display_width(std::string_view text);
/// Control characters, line breaks among them, become spaces; bytes that are no UTF-8 become '?'.
std::string printable(std::string_view text);
/// Padded on the right, or cut and marked with "..", to exactly `width` columns.
std::string fitted(std::string_view text, std::size_t width);
/// "0.4 s", "12 s", "3:05", "2:03:05".
std::string duration(double seconds);

}  // namespace evident::report
