// The voxels of an image that are to be analysed: nearly all the memory of an analysis.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "imaging/fit/fit_many.hpp"
#include "imaging/nifti/geometry.hpp"
#include "imaging/nifti/mask.hpp"
#include "imaging/pet/fit/request.hpp"
#include "imaging/pet/io/scan.hpp"

namespace evident::imaging {

struct Voxels {
  Curves curves;                                         ///< kBq/mL
  Labels atlas = {};                                     ///< empty without one
  std::map<std::int32_t, std::string> label_names = {};  ///< of the atlas, as far as they are known
  std::vector<std::string> warnings = {};
};

/// Inside the mask; without one those whose activity, averaged over the scan, is above a fifth of that of the brightest
/// (98 % quantile).
Voxels read_voxels(const PetRequest& request, const Scan& scan, const Geometry& geometry);

}  // namespace evident::imaging
