// Where the voxels of an image are: its shape, the way from voxel indices to scanner coordinates, and the header fields
// that say so, kept bit for bit so that an output lies exactly where its input does.
//
//   const Geometry pet = NiftiReader("pet.nii.gz").geometry();
//   const double shift = max_corner_shift_mm(pet, mask);  // 0 when the two lie on each other
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace evident::imaging {

/// Voxel indices to coordinates: x = m[0][0] i + m[0][1] j + m[0][2] k + m[0][3], and so on.
using Affine = std::array<std::array<double, 4>, 3>;

/// Units of length as NIfTI numbers them.
enum class SpaceUnit { unknown = 0, metre = 1, millimetre = 2, micrometre = 3 };

struct Geometry {
  std::array<std::size_t, 3> shape{1, 1, 1};
  Affine affine{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};  ///< from sform, else qform, else the voxel sizes

  // The header's own fields. A NIfTI-1 file has them as floats, which doubles hold exactly.
  int nifti_version = 1;
  std::array<double, 4> pixdim{1, 1, 1, 1};  ///< pixdim[0] is the sign of the third axis, the others are voxel sizes
  int qform_code = 0;
  int sform_code = 0;
  std::array<double, 3> quatern{0, 0, 0};
  std::array<double, 3> qoffset{0, 0, 0};
  Affine srow{};
  SpaceUnit unit = SpaceUnit::millimetre;

  std::size_t voxels() const { return shape[0] * shape[1] * shape[2]; }
};

/// "91 x 109 x 91"
std::string shape_text(const Geometry& geometry);

/// The affine of sform_code and srow; nothing when the code is 0.
std::optional<Affine> sform_affine(const Geometry& geometry);
/// The affine of the quaternion, offset and pixdim; nothing when qform_code is 0.
std::optional<Affine> qform_affine(const Geometry& geometry);
/// Voxel sizes only, the first voxel at the origin.
Affine pixdim_affine(const Geometry& geometry);

/// Sets `affine` from the header's fields: sform when it has a code, else qform, else the voxel sizes. Returns
/// warnings: the two forms disagree by more than 1e-3 mm at a corner, or the chosen one is flat. Throws InputError,
/// with `file` in its text, when the chosen one is not finite.
std::vector<std::string> set_affine(Geometry& geometry, const std::string& file);

/// The largest distance, over the eight corners of a's box of voxels, between where a and where b says it is.
double max_corner_shift_mm(const Geometry& a, const Geometry& b);

/// More than this is another place.
inline constexpr double kSamePlaceMm = 1e-3;

}  // namespace evident::imaging
