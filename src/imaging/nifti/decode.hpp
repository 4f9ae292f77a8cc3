// Stored values of an image to numbers.
#pragma once

#include <cstddef>
#include <span>

#include "imaging/nifti/nifti.hpp"

namespace evident::imaging {

struct Encoding {
  Datatype type = Datatype::float32;
  bool swap = false;
  double slope = 1, intercept = 0;
};

/// `bytes` holds out.size() stored values.
void decode(std::span<const std::byte> bytes, const Encoding& encoding, std::span<float> out);
void decode(std::span<const std::byte> bytes, const Encoding& encoding, std::span<double> out);

}  // namespace evident::imaging
