// Calibrations of kernels to bytes and back, to the last bit.
#pragma once

#include <memory>
#include <vector>

#include "base/pack.hpp"
#include "evident/kernel/calibration.hpp"

namespace evident {

void put_calibrations(Packer& out, const std::vector<Calibration>& calibrations);
/// Throws RunError when the bytes are none.
std::vector<Calibration> get_calibrations(Unpacker& in);

/// A fit that may be there or not.
void put_fit(Packer& out, const FittedMixture* fit);
std::shared_ptr<const FittedMixture> get_fit(Unpacker& in);

}  // namespace evident
