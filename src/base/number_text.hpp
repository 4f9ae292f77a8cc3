// Numbers in sentences.
#pragma once

#include <cstdio>
#include <string>

namespace evident {

/// Three significant digits.
inline std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", x);
  return text;
}

inline std::string percent(double share) { return number(100 * share) + " %"; }

}  // namespace evident
