#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "evident/base/error.hpp"
#include "imaging/nifti/byte_source.hpp"
#include "imaging/nifti/decode.hpp"
#include "imaging/nifti/nifti.hpp"
#include "imaging/nifti/nifti_header.hpp"

namespace evident::imaging {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 18;  // read and decoded at once; stays in the cache

NiftiHeader read_header(ByteSource& source) {
  const std::string& file = source.name();
  std::array<std::byte, kHeader2Bytes> bytes{};
  std::size_t have = source.read(std::span(bytes).first(4));
  const auto check = [&](std::size_t wanted) {
    if (have == wanted) return;
    throw InputError(fmt::format("{}: too short for a NIfTI file: its header needs {} bytes, found {}{}{}", file,
                                 std::max(wanted, kHeader1Bytes), have, source.problem().empty() ? "" : "; ",
                                 source.problem()));
  };
  check(4);
  const HeaderKind kind = header_kind(std::span(bytes).first(4));
  if (kind.bytes == 0) {
    throw InputError(
        fmt::format("{}: not a NIfTI file: it does not begin with the size of a header, 348 or 540", file));
  }
  have += source.read(std::span(bytes).subspan(4, kind.bytes - 4));
  check(kind.bytes);
  return parse_header(std::span(bytes).first(kind.bytes), kind, file);
}

}  // namespace

struct NiftiReader::State {
  ByteSource source;
  NiftiHeader header;
  Encoding encoding;
  std::size_t next_frame = 0;
  std::vector<std::byte> piece;

  explicit State(const std::filesystem::path& file) : source(file), header(read_header(source)) {
    header.info.compressed = source.compressed();
    encoding = {
        .type = header.info.type, .swap = header.swap, .slope = header.info.slope, .intercept = header.info.intercept};
    check_size();
    piece.resize(kPiece);
    skip_to(header.data_offset);
  }

  std::string promised() const {
    return fmt::format("{}: the header promises {} bytes ({}, {} frame{}, {})", source.name(), header.total_bytes,
                       shape_text(header.geometry), header.info.frames, header.info.frames == 1 ? "" : "s",
                       name_of(header.info.type));
  }

  // Before anybody makes room for what the header promises.
  void check_size() const {
    if (source.compressed()) {
      if (header.total_bytes > source.most()) {
        throw InputError(fmt::format("{}, but a compressed file of {} bytes holds {} at most; it is damaged or cut off",
                                     promised(), source.file_size(), source.most()));
      }
    } else if (header.total_bytes > source.file_size()) {
      throw InputError(fmt::format("{}, but the file has {}; it is cut off", promised(), source.file_size()));
    } else if (header.total_bytes < source.file_size()) {
      fail_surplus(source.file_size());
    }
  }

  [[noreturn]] void fail_short() const {
    throw InputError(fmt::format("{}, but only {} can be read: {}", promised(), source.delivered(),
                                 source.problem().empty() ? "it is cut off" : source.problem()));
  }
  [[noreturn]] void fail_surplus(std::uint64_t found) const {
    throw InputError(fmt::format("{}, but the file has {}; what is the rest?", promised(), found));
  }

  void read(std::span<std::byte> out) {
    if (source.read(out) != out.size()) fail_short();
  }
  void skip_to(std::uint64_t position) {
    while (source.delivered() < position) {
      const std::uint64_t left = position - source.delivered();
      read(std::span(piece).first(static_cast<std::size_t>(std::min<std::uint64_t>(left, kPiece))));
    }
  }

  template <class Out>
  void read_volume(std::span<Out> out) {
    if (out.size() != header.geometry.voxels()) {
      throw RunError(fmt::format("{}: a volume of {} voxels does not go into {} places", source.name(),
                                 header.geometry.voxels(), out.size()));
    }
    if (next_frame == header.info.frames) {
      throw RunError(fmt::format("{}: all its {} frames are read already", source.name(), header.info.frames));
    }
    const std::size_t width = bytes_of(encoding.type), most = kPiece / width;
    for (std::size_t done = 0; done < out.size();) {
      const std::size_t count = std::min(most, out.size() - done);
      const auto bytes = std::span(piece).first(count * width);
      read(bytes);
      decode(bytes, encoding, out.subspan(done, count));
      done += count;
    }
    ++next_frame;
  }

  void finish() {
    skip_to(header.total_bytes);
    next_frame = header.info.frames;
    // Reading past the end makes zlib compare the sums; a surplus is counted as far as one piece.
    const std::size_t surplus = source.read(piece);
    if (surplus > 0) fail_surplus(source.delivered());
    if (!source.problem().empty()) {
      throw InputError(fmt::format("{}, and {} can be read, but {}", promised(), source.delivered(), source.problem()));
    }
  }
};

NiftiReader::NiftiReader(const std::filesystem::path& file) : state_(std::make_unique<State>(file)) {}
NiftiReader::~NiftiReader() = default;
NiftiReader::NiftiReader(NiftiReader&&) noexcept = default;
NiftiReader& NiftiReader::operator=(NiftiReader&&) noexcept = default;

const Geometry& NiftiReader::geometry() const { return state_->header.geometry; }
const ImageInfo& NiftiReader::info() const { return state_->header.info; }
const std::vector<std::string>& NiftiReader::warnings() const { return state_->header.warnings; }
void NiftiReader::read_volume(std::span<float> out) { state_->read_volume(out); }
void NiftiReader::read_volume(std::span<double> out) { state_->read_volume(out); }
void NiftiReader::finish() { state_->finish(); }

Series read_series(const std::filesystem::path& file, std::span<const std::size_t> indices) {
  NiftiReader reader(file);
  const std::size_t voxels = reader.geometry().voxels(), frames = reader.frames();
  for (const std::size_t index : indices) {
    if (index < voxels) continue;
    throw InputError(fmt::format("{}: there is no voxel {}; the image, {}, has {}", file.string(), index,
                                 shape_text(reader.geometry()), voxels));
  }
  Series series{.geometry = reader.geometry(),
                .info = reader.info(),
                .frames = frames,
                .voxels = indices.size(),
                .values = std::vector<float>(indices.size() * frames),
                .warnings = reader.warnings()};
  std::vector<float> volume(voxels);
  for (std::size_t f = 0; f < frames; ++f) {
    reader.read_volume(volume);
    for (std::size_t v = 0; v < indices.size(); ++v) series.values[v * frames + f] = volume[indices[v]];
  }
  reader.finish();
  return series;
}

}  // namespace evident::imaging
