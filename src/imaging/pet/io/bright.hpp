// A mask for an image that came without one.
#pragma once

#include <filesystem>

#include "imaging/nifti/mask.hpp"
#include "imaging/pet/io/scan.hpp"

namespace evident::imaging {

/// Voxels whose activity, averaged over the scan, is above a fifth of that of the brightest (98 % quantile). Only one
/// volume is in memory at a time.
Mask bright_voxels(const std::filesystem::path& image, const Scan& scan);

}  // namespace evident::imaging
