#include "imaging/pet/io/bright.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "evident/base/error.hpp"
#include "imaging/nifti/nifti.hpp"

namespace evident::imaging {

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

}  // namespace evident::imaging
