#include "imaging/phantom/anatomy.hpp"

#include <algorithm>
#include <cmath>

#include "evident/base/error.hpp"

namespace evident::imaging {
namespace {

/// Coordinates in which the ellipsoid is the unit ball; x to the right, y to the front, z up.
struct Point {
  double x, y, z;
};

// Semi-axes in mm. At 2 mm the ellipsoid holds 217,187 voxels, a brain's worth.
constexpr Point kSemiAxes = {70.7, 88.4, 66.35};
constexpr double kFinest = 2, kFinestVoxels = 217187;

const PhantomRegion kWhite = {1, "white matter", {.K1 = 0.12, .k2 = 0.04}, "made up, V_T = 3"};
const PhantomRegion kCortex = {
    2, "cortex", {.K1 = 0.18, .k2 = 0.25, .k3 = 0.18, .k4 = 0.04}, "[11C]DWAY in frontal cortex, K1 raised from 0.14"};
const PhantomRegion kCerebellum = {
    3, "cerebellum", {.K1 = 0.41, .k2 = 0.05}, "a D2 agonist in cerebellum, k2 lowered from 0.06"};
const PhantomRegion kPutamen = {
    4, "putamen", {.K1 = 0.44, .k2 = 0.07, .k3 = 0.15, .k4 = 0.19}, "a D2 agonist in putamen"};
const PhantomRegion kHippocampus = {5,
                                    "hippocampus",
                                    {.K1 = 0.14, .k2 = 0.15, .k3 = 0.21, .k4 = 0.04},
                                    "[11C]DWAY in hippocampus, K1 raised from 0.11"};
const PhantomRegion kBlock = {6,
                              "block",
                              {.K1 = 0.6, .k2 = 1.2, .k3 = 1.2, .k4 = 0.3, .k5 = 0.3, .k6 = 0.02},
                              "made up: three compartments with rates far apart, V_T = 10"};

bool inside_pair(const Point& p, const Point& centre, const Point& radius) {  // one on the left and one on the right
  const double x = (std::abs(p.x) - centre.x) / radius.x, y = (p.y - centre.y) / radius.y,
               z = (p.z - centre.z) / radius.z;
  return x * x + y * y + z * z <= 1;
}

/// Place in the list of regions.
std::uint8_t region_of(PhantomKind kind, const Point& p) {
  if (kind == PhantomKind::small) return p.x < -0.25 ? 0 : p.x < 0.25 ? 1 : 2;
  if (std::abs(p.x) < 0.2 && std::abs(p.y - 0.45) < 0.2 && std::abs(p.z) < 0.2) return 5;
  if (inside_pair(p, {0.3, 0.05, 0.05}, {0.16, 0.28, 0.2})) return 3;
  if (inside_pair(p, {0.4, -0.25, -0.3}, {0.14, 0.25, 0.14})) return 4;
  if (p.y < -0.25 && p.z < -0.35) return 2;
  return p.x * p.x + p.y * p.y + p.z * p.z > 0.64 ? 1 : 0;
}

Geometry make_geometry(double size) {
  Geometry g;
  const double semi[] = {kSemiAxes.x, kSemiAxes.y, kSemiAxes.z};
  for (std::size_t a = 0; a < 3; ++a) {
    // A margin of one voxel on each side; the nearest voxels reach a little beyond the ellipsoid when they are large.
    g.shape[a] = 2 * static_cast<std::size_t>(std::ceil(semi[a] / size)) + 3;
    const double offset = -size * static_cast<double>(g.shape[a] - 1) / 2;
    g.pixdim[a + 1] = static_cast<float>(size);
    g.qoffset[a] = static_cast<float>(offset);
    g.srow[a] = {0, 0, 0, g.qoffset[a]};
    g.srow[a][a] = g.pixdim[a + 1];
  }
  g.qform_code = g.sform_code = 1;  // scanner
  g.affine = g.srow;
  return g;
}

}  // namespace

Anatomy make_anatomy(PhantomKind kind, std::size_t voxels) {
  if (voxels == 0 || voxels > kMostPhantomVoxels)
    throw InputError("PET phantom: voxels must be from 1 to " + std::to_string(kMostPhantomVoxels) + ", is " +
                     std::to_string(voxels));
  Anatomy out;
  out.geometry = make_geometry(kFinest * std::cbrt(kFinestVoxels / static_cast<double>(voxels)));
  if (kind == PhantomKind::small)
    out.regions = {kCerebellum, kCortex, kBlock};
  else
    out.regions = {kWhite, kCortex, kCerebellum, kPutamen, kHippocampus, kBlock};

  const auto& shape = out.geometry.shape;
  const auto place = [&](std::size_t index) {
    const std::size_t i = index % shape[0], j = index / shape[0] % shape[1], k = index / (shape[0] * shape[1]);
    const Affine& m = out.geometry.affine;
    return Point{(m[0][0] * static_cast<double>(i) + m[0][3]) / kSemiAxes.x,
                 (m[1][1] * static_cast<double>(j) + m[1][3]) / kSemiAxes.y,
                 (m[2][2] * static_cast<double>(k) + m[2][3]) / kSemiAxes.z};
  };
  std::vector<std::pair<double, std::size_t>> nearest;
  nearest.reserve(out.geometry.voxels());
  for (std::size_t i = 0; i < out.geometry.voxels(); ++i) {
    const Point p = place(i);
    nearest.emplace_back(p.x * p.x + p.y * p.y + p.z * p.z, i);
  }
  // Equal distances go by index, so that the choice is the same everywhere.
  std::nth_element(nearest.begin(), nearest.begin() + static_cast<std::ptrdiff_t>(voxels - 1), nearest.end());
  nearest.resize(voxels);
  for (const auto& [distance, index] : nearest) out.indices.push_back(index);
  std::sort(out.indices.begin(), out.indices.end());
  for (const std::size_t index : out.indices) out.region.push_back(region_of(kind, place(index)));
  return out;
}

}  // namespace evident::imaging
