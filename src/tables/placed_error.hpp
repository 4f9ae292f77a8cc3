// An InputError whose message already says where: file, and line or column.
#pragma once

#include "evident/base/error.hpp"

namespace evident {

class PlacedError : public InputError {
 public:
  using InputError::InputError;
};

/// A file of more bytes than are read.
class TooLarge : public PlacedError {
 public:
  using PlacedError::PlacedError;
};

/// The same of a data file of a study, whose limit is the caller's (CodeAccess::largest_file): who offers a way to move
/// it says so.
class TooLargeData : public TooLarge {
 public:
  using TooLarge::TooLarge;
};

/// One of three lines: what is wrong and where, the formula, and a caret under the place.
class CaretError : public PlacedError {
 public:
  using PlacedError::PlacedError;
};

}  // namespace evident
