// An InputError whose message already says where: file, and line or column.
#pragma once

#include "evident/base/error.hpp"

namespace evident::study {

class PlacedError : public InputError {
 public:
  using InputError::InputError;
};

}  // namespace evident::study
