// The shape of the phantom: an ellipsoid of the size of a brain, cut into regions.
//
//   const Anatomy brain = make_anatomy(PhantomKind::brain, 217000);
//   brain.indices[i], brain.region[i]     // of the i-th voxel inside
//
// The ellipsoid always has the same size; fewer voxels are larger ones (2 mm at 217,187). Exactly as many voxels are
// inside as were asked for: those nearest to the centre.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "imaging/nifti/geometry.hpp"
#include "imaging/phantom/kinetics.hpp"

namespace evident::imaging {

enum class PhantomKind {
  small,  ///< three slabs of one, two and three compartments
  prior,  ///< each voxel's rate constants are drawn from the prior of the analysis (prior_draws.hpp)
  brain,  ///< white matter, cortex, cerebellum, putamen, hippocampus, and a block of three compartments
};

struct PhantomRegion {
  std::uint8_t label = 0;
  std::string name;
  RateConstants rates;
  std::string source;  ///< where the rate constants come from
};

struct Anatomy {
  Geometry geometry;
  std::vector<PhantomRegion> regions;
  std::vector<std::size_t> indices;  ///< linear indices of the voxels inside, increasing
  std::vector<std::uint8_t> region;  ///< of each voxel inside: its place in `regions`
};

inline constexpr std::size_t kMostPhantomVoxels = 500000;

/// Throws InputError when `voxels` is 0 or above kMostPhantomVoxels.
Anatomy make_anatomy(PhantomKind kind, std::size_t voxels);

}  // namespace evident::imaging
