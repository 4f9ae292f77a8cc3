#include <filesystem>
#include <imaging/nifti/nifti_writer.hpp>
#include <vector>

int main() {
  evident::imaging::Geometry geometry;
  geometry.shape = {2, 2, 2};
  const auto file = std::filesystem::temp_directory_path() / "evident-component-imaging.nii.gz";
  evident::imaging::write_nifti(file, geometry, std::span<const float>(std::vector<float>(8, 1.0F)), {});
  return !std::filesystem::remove(file);
}
