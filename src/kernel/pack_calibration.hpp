// Calibrations of kernels to bytes and back, to the last bit.
#pragma once

#include <vector>

#include "base/pack.hpp"
#include "evident/kernel/calibration.hpp"

namespace evident {

void put_calibrations(Packer& out, const std::vector<Calibration>& calibrations);
/// Throws RunError when the bytes are none.
std::vector<Calibration> get_calibrations(Unpacker& in);

}  // namespace evident
