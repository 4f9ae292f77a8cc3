// Is a text UTF-8? JSON and terminals take nothing else.
#pragma once

#include <string_view>

namespace evident::batch {

inline bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t more = lead < 0x80 ? 0 : lead >> 5U == 6 ? 1 : lead >> 4U == 14 ? 2 : lead >> 3U == 30 ? 3 : 4;
    if (more > 3 || more >= text.size() - i) return false;
    for (std::size_t k = 1; k <= more; ++k)
      if ((static_cast<unsigned char>(text[i + k]) & 0xC0U) != 0x80) return false;
    const auto second = more > 0 ? static_cast<unsigned char>(text[i + 1]) : 0U;
    const bool overlong =
        (more == 1 && lead < 0xC2) || (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
    const bool beyond = (lead == 0xED && second >= 0xA0) || lead > 0xF4 || (lead == 0xF4 && second >= 0x90);
    if (overlong || beyond) return false;
    i += more + 1;
  }
  return true;
}

}  // namespace evident::batch
