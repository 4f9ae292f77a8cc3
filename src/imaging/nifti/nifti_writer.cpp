#include "imaging/nifti/nifti_writer.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/byte_order.hpp"
#include "evident/base/error.hpp"
#include "imaging/nifti/byte_sink.hpp"
#include "imaging/nifti/nifti_header.hpp"

namespace evident::imaging {
namespace {

bool is_compressed_name(const std::filesystem::path& file) {
  const std::string name = file.filename().string();
  if (name.ends_with(".nii.gz") && name != ".nii.gz") return true;
  if (name.ends_with(".nii") && name != ".nii") return false;
  throw InputError(fmt::format("{}: the name of an image ends with .nii.gz or .nii", file.string()));
}

void check(const std::filesystem::path& file, const Geometry& geometry, const WriteOptions& options) {
  if (options.type != Datatype::float32 && options.type != Datatype::uint8 && options.type != Datatype::int16) {
    throw InputError(
        fmt::format("{}: images are written as float32, uint8 or int16, not {}", file.string(), name_of(options.type)));
  }
  if (geometry.voxels() == 0 || options.frames == 0) {
    throw InputError(fmt::format("{}: an image has voxels and frames; this has {} and {}", file.string(),
                                 geometry.voxels(), options.frames));
  }
}

}  // namespace

struct NiftiWriter::State {
  std::string name;
  std::size_t voxels, frames, written = 0;
  Datatype type;
  ByteSink output;
  std::vector<std::byte> piece;

  State(const std::filesystem::path& file, const Geometry& geometry, const WriteOptions& options)
      : name(file.string()),
        voxels(geometry.voxels()),
        frames(options.frames),
        type(options.type),
        output(file, is_compressed_name(file)) {
    ImageInfo info;
    info.frames = options.frames;
    info.type = options.type;
    info.frame_step = options.frame_step;
    constexpr int kSeconds = 8;
    info.time_units = kSeconds;
    info.description = options.description;
    output.write(make_header(geometry, info));
  }

  template <class Stored, class In>
  void encode(std::span<const In> values, std::size_t first) {
    piece.resize(values.size() * sizeof(Stored));
    for (std::size_t i = 0; i < values.size(); ++i) {
      if constexpr (std::numeric_limits<Stored>::is_integer) {
        const double value = values[i];
        // NaN fails here too.
        if (!(value >= std::numeric_limits<Stored>::min() && value <= std::numeric_limits<Stored>::max()) ||
            value != std::floor(value)) {
          throw RunError(fmt::format("{}: voxel {} of frame {} is {}, which {} does not hold", name, first + i, written,
                                     value, name_of(type)));
        }
      }
      store(piece.data() + i * sizeof(Stored), static_cast<Stored>(values[i]));
    }
    output.write(piece);
  }

  template <class In>
  void write_volume(std::span<const In> values) {
    if (values.size() != voxels || written == frames) {
      throw RunError(fmt::format("{}: {} frames of {} voxels are to be written, not frame {} of {}", name, frames,
                                 voxels, written + 1, values.size()));
    }
    constexpr std::size_t kValuesAtOnce = std::size_t{1} << 16;
    for (std::size_t first = 0; first < voxels; first += kValuesAtOnce) {
      const auto part = values.subspan(first, std::min(kValuesAtOnce, voxels - first));
      if (type == Datatype::uint8) {
        encode<std::uint8_t>(part, first);
      } else if (type == Datatype::int16) {
        encode<std::int16_t>(part, first);
      } else {
        encode<float>(part, first);
      }
    }
    ++written;
  }
};

NiftiWriter::NiftiWriter(const std::filesystem::path& file, const Geometry& geometry, const WriteOptions& options) {
  check(file, geometry, options);
  state_ = std::make_unique<State>(file, geometry, options);
}
NiftiWriter::~NiftiWriter() = default;
NiftiWriter::NiftiWriter(NiftiWriter&&) noexcept = default;
NiftiWriter& NiftiWriter::operator=(NiftiWriter&&) noexcept = default;

void NiftiWriter::write_volume(std::span<const float> values) { state_->write_volume(values); }
void NiftiWriter::write_volume(std::span<const double> values) { state_->write_volume(values); }

void NiftiWriter::finish() {
  if (state_->written != state_->frames) {
    throw RunError(fmt::format("{}: {} of its {} frames are written", state_->name, state_->written, state_->frames));
  }
  state_->output.commit();
}

namespace {

template <class In>
void write_all(const std::filesystem::path& file, const Geometry& geometry, std::span<const In> values,
               const WriteOptions& options) {
  const std::size_t voxels = geometry.voxels();
  if (values.size() != voxels * options.frames) {
    throw RunError(fmt::format("{}: {} frames of {} voxels are to be written, {} values are given", file.string(),
                               options.frames, voxels, values.size()));
  }
  NiftiWriter writer(file, geometry, options);
  for (std::size_t f = 0; f < options.frames; ++f) writer.write_volume(values.subspan(f * voxels, voxels));
  writer.finish();
}

}  // namespace

void write_nifti(const std::filesystem::path& file, const Geometry& geometry, std::span<const float> values,
                 const WriteOptions& options) {
  write_all(file, geometry, values, options);
}
void write_nifti(const std::filesystem::path& file, const Geometry& geometry, std::span<const double> values,
                 const WriteOptions& options) {
  write_all(file, geometry, values, options);
}

}  // namespace evident::imaging
