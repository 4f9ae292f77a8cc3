// Text from strangers, for terminals: names and messages hold whatever a file holds. Control characters could repaint
// the screen, and those of the Unicode bidirectional algorithm make a name read as another.
//
//   printable("a\x1b[2Jb")          // "a [2Jb"
//   printable_lines(table)          // line breaks and the program's own colours stay
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace evident {

struct CodePoint {
  char32_t value;     ///< '?' for a byte that is no UTF-8
  std::size_t bytes;  ///< that it takes
  bool valid;
};
/// The one at the front of the text, which must not be empty.
CodePoint first_code_point(std::string_view text);

/// One line: control characters, line breaks among them, and those that turn the direction become spaces; bytes that
/// are no UTF-8 become '?'.
std::string printable(std::string_view text);
/// The same of what a command prints: line breaks, tabs, and the sequences that colour text and move a progress display
/// stay.
std::string printable_lines(std::string_view text);
/// Text of more than `most` bytes without its middle, in whose place "..." stands; characters stay whole.
std::string abridged(std::string_view text, std::size_t most);
/// JSON with those characters as \uXXXX: the same values, and nothing that a terminal would obey.
std::string escaped_json(std::string_view json);

}  // namespace evident
