// Numbers in sentences and tables.
#pragma once

#include <cmath>
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

/// A probability in a table. A small one keeps its size: 0.0000 would claim that a model is impossible. The last bits
/// must not decide how a half is rounded.
inline std::string probability_cell(double p) {
  if (std::isnan(p)) return "-";
  const bool small = p > 0 && p < 0.0001;
  char text[32];
  std::snprintf(text, sizeof text, small ? "%.1e" : "%.4f", small ? p : p * (1 + 1e-12));
  return text;
}

}  // namespace evident
