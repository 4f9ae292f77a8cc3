// Writes NIfTI images that lie exactly where their input does.
//
//   write_nifti("vt.nii.gz", pet.geometry(), values, {.type = Datatype::float32, .description = "V_T"});
//
//   NiftiWriter writer("fit.nii.gz", pet.geometry(), {.frames = 32});
//   for (...) writer.write_volume(volume);
//   writer.finish();
//
// The name decides: .nii.gz is compressed, .nii is not. A file appears under its name when it is whole; until then, and
// after any error, there is nothing under that name but what was there before. Equal values give equal bytes.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "imaging/nifti/geometry.hpp"
#include "imaging/nifti/nifti.hpp"

namespace evident::imaging {

struct WriteOptions {
  Datatype type = Datatype::float32;  ///< float32, uint8 or int16
  std::size_t frames = 1;
  double frame_step = 0;         ///< seconds between frames, when frames > 1; 0 when they are uneven
  std::string description = {};  ///< up to 79 bytes are kept
};

class NiftiWriter {
 public:
  /// Throws InputError for a name that is neither .nii nor .nii.gz, or that cannot be written to.
  NiftiWriter(const std::filesystem::path& file, const Geometry& geometry, const WriteOptions& options = {});
  /// Without finish() nothing is left behind.
  ~NiftiWriter();
  NiftiWriter(NiftiWriter&&) noexcept;
  NiftiWriter& operator=(NiftiWriter&&) noexcept;

  /// Appends a volume of geometry.voxels() values. Throws RunError when the disk is full, or when a value is not a
  /// whole number of the range of an integer type.
  void write_volume(std::span<const float> values);
  void write_volume(std::span<const double> values);
  /// Completes the file and gives it its name. Throws RunError.
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// All frames at once: `values` holds options.frames volumes.
void write_nifti(const std::filesystem::path& file, const Geometry& geometry, std::span<const float> values,
                 const WriteOptions& options = {});
void write_nifti(const std::filesystem::path& file, const Geometry& geometry, std::span<const double> values,
                 const WriteOptions& options = {});

}  // namespace evident::imaging
