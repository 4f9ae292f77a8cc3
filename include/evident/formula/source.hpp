// Where a formula stands, so that a message can point at the place.
//
//   const Source source{"study.toml", 14, 9, "A * exp(-k * tt)"};
//   source.fail(13, "there is no name 'tt'; did you mean 't'?");
//
//   study.toml:14:22: there is no name 'tt'; did you mean 't'?
//     A * exp(-k * tt)
//                  ^
#pragma once

#include <cstddef>
#include <string>

#include "evident/base/error.hpp"

namespace evident::formula {

/// An InputError whose message already says where.
class FormulaError : public InputError {
 public:
  using InputError::InputError;
};

struct Source {
  std::string file{};
  std::size_t line = 1, column = 1;  ///< of the first character of the text
  std::string text{};

  /// Throws FormulaError with file, line, column, the line of the formula and a caret under character `at`.
  [[noreturn]] void fail(std::size_t at, const std::string& what) const;
};

/// A name and its formula: `mean = "A * exp(-k * t)"`.
struct Definition {
  Source key{};  ///< its text is the name
  Source formula{};
};

}  // namespace evident::formula
