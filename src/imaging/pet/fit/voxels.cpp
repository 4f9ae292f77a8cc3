#include "imaging/pet/fit/voxels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "base/option.hpp"
#include "evident/base/error.hpp"
#include "imaging/nifti/nifti.hpp"
#include "tables/table.hpp"

namespace evident::imaging {
namespace {

/// Only one volume is in memory at a time.
Mask bright_voxels(const std::filesystem::path& image, const Scan& scan) {
  constexpr double kShare = 0.2, kBrightest = 0.98;
  NiftiReader reader(image);
  std::vector<float> volume(reader.geometry().voxels()), mean(volume.size());
  for (std::size_t f = 0; f < reader.frames(); ++f) {
    reader.read_volume(volume);
    const auto at = std::ranges::find(scan.used, f);
    if (at == scan.used.end()) continue;
    const auto k = static_cast<std::size_t>(at - scan.used.begin());
    const double weight = scan.timing.duration[k] * scan.frame_factor[k];
    for (std::size_t i = 0; i < volume.size(); ++i)
      if (std::isfinite(volume[i])) mean[i] += static_cast<float>(volume[i] * weight);
  }
  reader.finish();
  std::vector<float> sorted = mean;
  const auto top = sorted.begin() + static_cast<std::ptrdiff_t>(kBrightest * static_cast<double>(sorted.size() - 1));
  std::ranges::nth_element(sorted, top);
  Mask mask;
  for (std::size_t i = 0; i < mean.size(); ++i)
    if (mean[i] > kShare * *top && mean[i] > 0) mask.indices.push_back(i);
  if (mask.indices.empty())
    throw InputError(fmt::format("{}: no voxel has any activity; is this the right image?", image.string()));
  mask.warnings.push_back(fmt::format(
      "no mask was given: the {} voxels brighter than a fifth of the brightest are used", mask.indices.size()));
  return mask;
}

/// Values in kBq/mL at the common decay reference, of the frames in use.
Curves scaled(const Scan& scan, const Series& series, const std::vector<std::size_t>& indices) {
  Curves out{.frames = scan.used.size(), .index = {}, .values = {}};
  out.index.assign(indices.begin(), indices.end());
  out.values.reserve(indices.size() * out.frames);
  for (std::size_t v = 0; v < series.voxels; ++v)
    for (std::size_t f = 0; f < out.frames; ++f)
      out.values.push_back(static_cast<float>(series.curve(v)[scan.used[f]] * scan.frame_factor[f]));
  return out;
}

/// Names of labels from a table beside the atlas with the columns index and name, as BIDS has them.
std::map<std::int32_t, std::string> read_label_names(std::filesystem::path atlas) {
  std::map<std::int32_t, std::string> names;
  if (atlas.extension() == ".gz") atlas.replace_extension();
  const std::filesystem::path file = atlas.replace_extension(".tsv");
  if (!std::filesystem::exists(file)) return names;
  const Table table = Table::read(file.string());
  const std::vector<double> index = table.numbers("index");
  const std::size_t column = table.index("name");
  for (std::size_t i = 0; i < index.size(); ++i) {
    const double last = std::numeric_limits<std::int32_t>::max();
    if (index[i] != std::trunc(index[i]) || std::abs(index[i]) > last)
      throw InputError(fmt::format("{}:{}: column 'index': {} is no label; labels are whole numbers", file.string(),
                                   table.line(i), index[i]));
    names[static_cast<std::int32_t>(index[i])] = std::string(table.cell(i, column));
  }
  return names;
}

}  // namespace

Voxels read_voxels(const PetRequest& request, const Scan& scan, const Geometry& geometry) {
  const PetRequest& r = request;
  Voxels out;
  const Mask mask = r.mask.empty() ? bright_voxels(r.image, scan) : read_mask(r.mask, geometry);
  out.warnings = mask.warnings;
  if (!r.atlas.empty()) {
    out.atlas = read_labels(r.atlas, geometry);
    out.warnings.insert(out.warnings.end(), out.atlas.warnings.begin(), out.atlas.warnings.end());
    out.label_names = read_label_names(r.atlas);
  }
  const std::uint64_t needed = mask.indices.size() * (scan.image_frames + scan.used.size() + 64) * sizeof(float);
  if (r.memory > 0 && needed > r.memory)
    throw InputError(fmt::format("{} voxels of {} frames need {} MB, more than {} allows; use a smaller mask",
                                 mask.indices.size(), scan.image_frames, needed >> 20U, option("mem")));
  out.curves = scaled(scan, read_series(r.image, mask.indices), mask.indices);
  return out;
}

}  // namespace evident::imaging
