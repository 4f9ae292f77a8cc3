// A PlacedError of three lines: what is wrong and where, the formula, and a caret under the place.
#pragma once

#include "evident/study/placed_error.hpp"

namespace evident::study {

class CaretError : public PlacedError {
 public:
  using PlacedError::PlacedError;
};

}  // namespace evident::study
