// Writing to standard output, where a full disk or a closed pipe must not pass unnoticed; and to standard error. Marks
// of options (base/option.hpp) become flags here, in all that is printed or told, and nothing that a terminal would
// obey gets through but what the program writes itself (base/printable.hpp).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "evident/base/error.hpp"

namespace evident::cli {

/// An option as the command line has it: "--vb", "--nuclide C11", "--force" for that to replace a checkpoint.
std::string flag(std::string_view key, std::string_view value);
/// The text with options as flags. A program that runs this one for its own users sets EVIDENT_OPTION_MARKS=1 in the
/// environment, gets the marks, and spells them itself: the Python package does.
std::string with_flags(std::string_view text);

/// Nobody reads standard output any more, as with `evident models | head -1`: no fault, but there is nobody to work
/// for.
class OutputClosed : public RunError {
 public:
  using RunError::RunError;
};

/// Throws RunError when it cannot be written, OutputClosed when whoever read it has gone.
void print(std::string_view text);
/// To standard error.
void tell(std::string_view text);
/// From now on nothing is printed nor told: of several ranks one talks.
void be_silent();

/// What is told of a journal that was damaged.
std::string done_again(std::size_t pieces);

/// A line on standard error that begins with "evident: ".
void notice(std::string_view line);

}  // namespace evident::cli
