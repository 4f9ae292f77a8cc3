// Options in messages. The library knows an option by its key; how a user writes it is up to the front end.
//
//   throw InputError(option("vb") + " needs whole blood");
//
//   e.what()                            option vb needs whole blood     plain C++
//   spelled(e.message(), flags)         --vb needs whole blood          the program
//   spelled(e.message(), arguments)     vb= needs whole blood           Python
//
// Inside the library a message is text with marks. A mark is a key, perhaps with a value, between noncharacters of
// Unicode (U+FDD0 to U+FDD2), which are reserved for the inside of programs: no text that people exchange has them.
// What stands between them and is no key stays as it is. Marks are part of the text, so they survive whatever is put
// around it, and threads, ranks and journals. The contract:
// - Code that wraps an error uses e.message(), or message_of(e) for any exception. what() has lost the marks.
// - Where a message leaves the library, spelled() replaces the marks: in cli/output.cpp for what the program prints, in
//   python/src/errors.cpp for exceptions, in src/capi/guard.hpp for the error text of a handle. Files that keep
//   messages (tables of a batch, results of PET) are written with the OptionSpelling of their request.
#pragma once

#include <exception>
#include <functional>
#include <string>
#include <string_view>

namespace evident {

/// The mark of an option, named as in Python: option("blood_tail"), option("nuclide", "C11"). Words in capitals stand
/// for a value: option("frames", "FILE").
std::string option(std::string_view key, std::string_view value = {});

/// How a front end writes an option. The value is empty where the message has none.
using OptionSpelling = std::function<std::string(std::string_view key, std::string_view value)>;

/// "option vb", "option nuclide=C11".
std::string plain_option(std::string_view key, std::string_view value);

/// The text with each mark replaced by what `spelling` makes of it.
std::string spelled(std::string_view text, const OptionSpelling& spelling = plain_option);

/// What an exception says, options marked, or what to do where memory or threads have run out.
std::string message_of(const std::exception& error);

}  // namespace evident
