#include "imaging/nifti/geometry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "evident/base/error.hpp"

namespace evident::imaging {
namespace {

double millimetres(SpaceUnit unit) {
  switch (unit) {
    case SpaceUnit::metre:
      return 1000;
    case SpaceUnit::micrometre:
      return 1e-3;
    case SpaceUnit::unknown:
    case SpaceUnit::millimetre:
      break;
  }
  return 1;
}

bool is_finite(const Affine& affine) {
  for (const auto& row : affine) {
    if (!std::all_of(row.begin(), row.end(), [](double x) { return std::isfinite(x); })) return false;
  }
  return true;
}

double determinant(const Affine& m) {
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

// A voxel of no size, in a header, means that nobody cared.
double voxel_size(const Geometry& geometry, std::size_t axis) {
  const double size = std::abs(geometry.pixdim[axis + 1]);
  return size == 0 ? 1 : size;
}

}  // namespace

std::string shape_text(const Geometry& geometry) {
  return fmt::format("{} x {} x {}", geometry.shape[0], geometry.shape[1], geometry.shape[2]);
}

std::optional<Affine> sform_affine(const Geometry& geometry) {
  if (geometry.sform_code <= 0) return std::nullopt;
  return geometry.srow;
}

std::optional<Affine> qform_affine(const Geometry& geometry) {
  if (geometry.qform_code <= 0) return std::nullopt;
  auto [b, c, d] = geometry.quatern;
  double a = 1 - (b * b + c * c + d * d);
  if (a < 1e-7) {  // half a turn; rounding may have made the quaternion a little too long
    const double scale = 1 / std::sqrt(b * b + c * c + d * d);
    b *= scale, c *= scale, d *= scale, a = 0;
  } else {
    a = std::sqrt(a);
  }
  const std::array<std::array<double, 3>, 3> turn{
      {{a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)},
       {2 * (b * c + a * d), a * a + c * c - b * b - d * d, 2 * (c * d - a * b)},
       {2 * (b * d - a * c), 2 * (c * d + a * b), a * a + d * d - b * b - c * c}}};
  const double third_axis = geometry.pixdim[0] < 0 ? -1 : 1;
  Affine affine{};
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      affine[row][axis] = turn[row][axis] * voxel_size(geometry, axis) * (axis == 2 ? third_axis : 1);
    }
    affine[row][3] = geometry.qoffset[row];
  }
  return affine;
}

Affine pixdim_affine(const Geometry& geometry) {
  Affine affine{};
  for (std::size_t axis = 0; axis < 3; ++axis) affine[axis][axis] = voxel_size(geometry, axis);
  return affine;
}

std::vector<std::string> set_affine(Geometry& geometry, const std::string& file) {
  const auto sform = sform_affine(geometry), qform = qform_affine(geometry);
  const char* source = sform ? "sform" : qform ? "qform" : "pixdim";
  geometry.affine = sform ? *sform : qform ? *qform : pixdim_affine(geometry);
  if (!is_finite(geometry.affine)) {
    throw InputError(fmt::format("{}: the header's {} holds numbers that are not finite", file, source));
  }
  std::vector<std::string> warnings;
  if (determinant(geometry.affine) == 0) {
    warnings.push_back(fmt::format("{}: the header's {} puts all voxels on a plane", file, source));
  }
  if (sform && qform) {
    Geometry other = geometry;
    other.affine = *qform;
    const double shift = max_corner_shift_mm(geometry, other);
    if (!(shift <= kSamePlaceMm)) {
      warnings.push_back(
          fmt::format("{}: its sform and qform disagree by up to {:.3g} mm; the sform is used", file, shift));
    }
  }
  return warnings;
}

double max_corner_shift_mm(const Geometry& a, const Geometry& b) {
  const double unit_a = millimetres(a.unit), unit_b = millimetres(b.unit);
  double largest = 0;
  for (unsigned corner = 0; corner < 8; ++corner) {
    std::array<double, 4> index{0, 0, 0, 1};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      index[axis] = ((corner >> axis) & 1U) != 0 ? static_cast<double>(a.shape[axis]) - 0.5 : -0.5;
    }
    double squared = 0;
    for (std::size_t row = 0; row < 3; ++row) {
      double difference = 0;
      for (std::size_t column = 0; column < 4; ++column) {
        difference += (unit_a * a.affine[row][column] - unit_b * b.affine[row][column]) * index[column];
      }
      squared += difference * difference;
    }
    const double distance = std::sqrt(squared);
    if (!(distance <= largest)) largest = distance;  // NaN is passed on
    if (std::isnan(largest)) break;
  }
  return largest;
}

}  // namespace evident::imaging
