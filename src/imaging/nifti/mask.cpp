#include "imaging/nifti/mask.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "evident/base/error.hpp"
#include "imaging/nifti/nifti.hpp"

namespace evident::imaging {
namespace {

// The one volume of an image that must lie on `image`.
struct Volume {
  std::vector<double> values;
  std::vector<std::string> warnings;
};

Volume read_on(const std::filesystem::path& file, const Geometry& image, const char* what) {
  NiftiReader reader(file);
  const Geometry& own = reader.geometry();
  if (reader.frames() != 1) {
    throw InputError(fmt::format("{}: a {} has one frame, this has {}", file.string(), what, reader.frames()));
  }
  if (own.shape != image.shape) {
    throw InputError(fmt::format("{}: the {} has the shape {}, the image {}; bring it to the image's grid",
                                 file.string(), what, shape_text(own), shape_text(image)));
  }
  const double shift = max_corner_shift_mm(image, own);
  if (!(shift <= kSamePlaceMm)) {
    throw InputError(
        fmt::format("{}: the {} has the image's shape but lies up to {:.4g} mm away from it; bring it to "
                    "the image's grid",
                    file.string(), what, shift));
  }
  Volume volume{.values = std::vector<double>(own.voxels()), .warnings = reader.warnings()};
  reader.read_volume(volume.values);
  reader.finish();
  return volume;
}

std::string voxel_text(std::size_t index, const Geometry& image) {
  const auto [nx, ny, nz] = image.shape;
  return fmt::format("voxel ({}, {}, {})", index % nx, index / nx % ny, index / nx / ny);
}

}  // namespace

Mask read_mask(const std::filesystem::path& file, const Geometry& image) {
  Volume volume = read_on(file, image, "mask");
  Mask mask{.indices = {}, .warnings = std::move(volume.warnings)};
  std::size_t odd = 0, nan = 0;
  for (std::size_t i = 0; i < volume.values.size(); ++i) {
    const double value = volume.values[i];
    if (std::isnan(value)) {
      ++nan;
    } else if (value != 0 && value != 1) {
      ++odd;
    }
    if (value > 0.5) mask.indices.push_back(i);
  }
  if (mask.indices.empty()) {
    throw InputError(
        fmt::format("{}: the mask is empty: none of its {} voxels is above 0.5", file.string(), volume.values.size()));
  }
  if (odd > 0) {
    mask.warnings.push_back(
        fmt::format("{}: {} voxels of the mask are neither 0 nor 1; inside is what is above 0.5", file.string(), odd));
  }
  if (nan > 0) {
    mask.warnings.push_back(fmt::format("{}: {} voxels of the mask are NaN; they are outside", file.string(), nan));
  }
  return mask;
}

std::vector<std::size_t> Labels::indices_of(std::int32_t label) const {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == label) indices.push_back(i);
  }
  return indices;
}

Labels read_labels(const std::filesystem::path& file, const Geometry& image) {
  Volume volume = read_on(file, image, "atlas");
  Labels labels{.values = {}, .present = {}, .warnings = std::move(volume.warnings)};
  labels.values.reserve(volume.values.size());
  std::size_t nan = 0;
  for (std::size_t i = 0; i < volume.values.size(); ++i) {
    const double value = volume.values[i];
    if (std::isnan(value)) {
      ++nan;
      labels.values.push_back(0);
      continue;
    }
    // Scaled integers come back with rounding.
    constexpr double kRounding = 1e-4, kMost = std::numeric_limits<std::int32_t>::max();
    const double whole = std::nearbyint(value);
    if (!(std::abs(whole) <= kMost) || std::abs(value - whole) > kRounding) {
      throw InputError(fmt::format("{}: {} of the atlas is {}; labels are whole numbers up to {}", file.string(),
                                   voxel_text(i, image), value, std::numeric_limits<std::int32_t>::max()));
    }
    labels.values.push_back(static_cast<std::int32_t>(whole));
  }
  if (nan > 0) {
    labels.warnings.push_back(fmt::format("{}: {} voxels of the atlas are NaN; they are outside", file.string(), nan));
  }
  labels.present = labels.values;
  std::sort(labels.present.begin(), labels.present.end());
  labels.present.erase(std::unique(labels.present.begin(), labels.present.end()), labels.present.end());
  std::erase(labels.present, 0);
  if (labels.present.empty()) {
    throw InputError(fmt::format("{}: the atlas is empty: every voxel is 0", file.string()));
  }
  return labels;
}

}  // namespace evident::imaging
