// Masks and atlases: which voxels to look at. They must lie on the image; nothing is ever resampled.
//
//   const Mask mask = read_mask("brain.nii.gz", pet.geometry());
//   for (const std::string& text : mask.warnings) log(text);
//   const Series curves = read_series("pet.nii.gz", mask.indices);
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "imaging/nifti/geometry.hpp"

namespace evident::imaging {

struct Mask {
  std::vector<std::size_t> indices;  ///< linear indices of the voxels inside, increasing; never empty
  std::vector<std::string> warnings;
};

/// Inside is what is above 0.5; NaN is outside. Throws InputError when the mask has another shape than `image`, lies
/// more than 1e-3 mm elsewhere, or is empty. Warns of values other than 0 and 1.
Mask read_mask(const std::filesystem::path& file, const Geometry& image);

struct Labels {
  std::vector<std::int32_t> values;   ///< one for each voxel of the image; 0 is outside
  std::vector<std::int32_t> present;  ///< the labels that occur, without 0, increasing; never empty
  std::vector<std::string> warnings;

  /// Linear indices of the voxels with this label, increasing.
  std::vector<std::size_t> indices_of(std::int32_t label) const;
};

/// An atlas of whole numbers. Throws InputError as read_mask does, and for a value that is not a whole number.
Labels read_labels(const std::filesystem::path& file, const Geometry& image);

}  // namespace evident::imaging
