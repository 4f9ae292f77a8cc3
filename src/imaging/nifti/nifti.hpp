// Reads NIfTI images, volume by volume; a series over time is never in memory as a whole.
//
//   NiftiReader pet("pet.nii.gz");
//   std::vector<float> volume(pet.geometry().voxels());
//   for (std::size_t f = 0; f < pet.frames(); ++f) pet.read_volume(volume);
//   pet.finish();                                                // the checksum is right, nothing follows
//
//   const Series curves = read_series("pet.nii.gz", mask.indices);  // the curves of some voxels only
//
// NIfTI-1 and NIfTI-2 in one file, compressed with gzip or not (told by content, not by name), either byte order, all
// integer types and float32, float64. Values come scaled by scl_slope and scl_inter; NaN and infinities stay as they
// are. Everything wrong with a file is an InputError that names it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "imaging/nifti/geometry.hpp"

namespace evident::imaging {

/// Types of stored values, with NIfTI's numbers.
enum class Datatype : int {
  uint8 = 2,
  int16 = 4,
  int32 = 8,
  float32 = 16,
  float64 = 64,
  int8 = 256,
  uint16 = 512,
  uint32 = 768,
  int64 = 1024,
  uint64 = 1280,
};

std::size_t bytes_of(Datatype type);
/// "int16"
std::string name_of(Datatype type);

/// What the header says, apart from the geometry.
struct ImageInfo {
  std::size_t frames = 1;  ///< 5D images of shape x, y, z, 1, t have t
  Datatype type = Datatype::float32;
  double slope = 1, intercept = 0;  ///< value = slope * stored + intercept
  double frame_step = 0;            ///< pixdim[4], in the file's unit of time
  int time_units = 0;               ///< the time part of xyzt_units: 8 s, 16 ms, 24 us
  std::string description;
  bool compressed = false;
  bool big_endian = false;
};

class NiftiReader {
 public:
  /// Opens the file and reads its header.
  explicit NiftiReader(const std::filesystem::path& file);
  ~NiftiReader();
  NiftiReader(NiftiReader&&) noexcept;
  NiftiReader& operator=(NiftiReader&&) noexcept;

  const Geometry& geometry() const;
  const ImageInfo& info() const;
  std::size_t frames() const { return info().frames; }
  /// What is odd about the header but can be lived with.
  const std::vector<std::string>& warnings() const;

  /// The next volume, x fastest; `out` holds geometry().voxels() values.
  void read_volume(std::span<float> out);
  void read_volume(std::span<double> out);
  /// Reads whatever is left, and checks that the file holds all that its header promises and no more; for a compressed
  /// file this is also the check of its sums.
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The curves of some voxels, each contiguous over time.
struct Series {
  Geometry geometry;
  ImageInfo info;
  std::size_t frames = 0;
  std::size_t voxels = 0;
  std::vector<float> values;  ///< voxels x frames
  std::vector<std::string> warnings;

  std::span<const float> curve(std::size_t voxel) const { return {values.data() + voxel * frames, frames}; }
};

/// Reads the voxels with these linear indices, i + nx (j + ny k), in their order. The whole file is checked before this
/// returns.
Series read_series(const std::filesystem::path& file, std::span<const std::size_t> indices);

}  // namespace evident::imaging
