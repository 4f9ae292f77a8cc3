// Small helpers for words in files and messages.
#pragma once

#include <string>
#include <string_view>

namespace evident::imaging {

inline std::string_view trimmed(std::string_view s) {
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t first = s.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return s.substr(first, s.find_last_not_of(blanks) - first + 1);
}

/// For messages: at most 40 bytes, control characters as '?'.
std::string shortened(std::string_view s);

/// ASCII letters in lower case.
std::string lower_case(std::string_view s);

}  // namespace evident::imaging
