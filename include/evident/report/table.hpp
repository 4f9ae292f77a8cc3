// The result as a table for people.
//
//   std::cout << to_table(comparison, detect_style(1));  // for what standard output is: a terminal, say
#pragma once

#include <cstddef>
#include <string>

#include "evident/compare/compare.hpp"

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

/// Standard error of a model's log evidence: that of its runs together, or from within them; NaN when neither is known.
double evidence_se(const ModelResult& model);

/// One line a model, in the order of the study, then the warnings. Of a large family the first 40 models are shown.
/// Ends with a line break.
std::string to_table(const Comparison& comparison, const TextStyle& style);

}  // namespace evident::report
