#include <algorithm>
#include <cstring>

#include "base/byte_order.hpp"
#include "imaging/nifti/nifti_fields.hpp"
#include "imaging/nifti/nifti_header.hpp"

namespace evident::imaging {
namespace {

// Fields into a header of one version; the counterpart of the reader's.
class Maker {
 public:
  explicit Maker(bool first) : first_(first), bytes_((first ? kHeader1Bytes : kHeader2Bytes) + 4) {
    store(bytes_.data(), static_cast<std::int32_t>(first ? kHeader1Bytes : kHeader2Bytes));
  }

  void real(Field f, std::size_t i, double value) {
    first_ ? store(at(f) + 4 * i, static_cast<float>(value)) : store(at(f) + 8 * i, value);
  }
  void dim(std::size_t i, std::uint64_t value) {
    first_ ? store(at(field::dim) + 2 * i, static_cast<std::int16_t>(value))
           : store(at(field::dim) + 8 * i, static_cast<std::int64_t>(value));
  }
  void short_int(Field f, int value) { store(at(f), static_cast<std::int16_t>(value)); }
  void code(Field f, int value) {
    first_ ? store(at(f), static_cast<std::int16_t>(value)) : store(at(f), static_cast<std::int32_t>(value));
  }
  void units(int value) {
    first_ ? store(at(field::xyzt_units), static_cast<std::uint8_t>(value))
           : store(at(field::xyzt_units), static_cast<std::int32_t>(value));
  }
  void data_follow_here() {
    first_ ? store(at(field::vox_offset), static_cast<float>(bytes_.size()))
           : store(at(field::vox_offset), static_cast<std::int64_t>(bytes_.size()));
  }
  void marks() {
    first_ ? std::memcpy(at(field::magic), "n+1", 4) : std::memcpy(at(field::magic), "n+2\0\r\n\x1a\n", 8);
    if (first_) store(at(field::regular), 'r');
  }
  void description(const std::string& text) {
    std::size_t length = std::min(text.size(), kDescriptionBytes - 1);
    // A letter of several bytes is kept whole or not at all.
    while (length > 0 && length < text.size() && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U) --length;
    std::memcpy(at(field::descrip), text.data(), length);
  }
  std::vector<std::byte> done() { return std::move(bytes_); }

 private:
  std::byte* at(Field f) { return bytes_.data() + (first_ ? f.in1 : f.in2); }

  bool first_;
  std::vector<std::byte> bytes_;
};

bool fits_version_1(const Geometry& geometry, std::size_t frames) {
  constexpr std::size_t kMost = 32767;
  return geometry.nifti_version == 1 && frames <= kMost &&
         std::all_of(geometry.shape.begin(), geometry.shape.end(), [](std::size_t n) { return n <= kMost; });
}

}  // namespace

std::vector<std::byte> make_header(const Geometry& g, const ImageInfo& info) {
  Maker header(fits_version_1(g, info.frames));
  header.marks();
  header.short_int(field::datatype, static_cast<int>(info.type));
  header.short_int(field::bitpix, static_cast<int>(8 * bytes_of(info.type)));
  header.dim(0, info.frames > 1 ? 4 : 3);
  for (std::size_t i = 0; i < 3; ++i) header.dim(i + 1, g.shape[i]);
  header.dim(4, info.frames);
  for (std::size_t i = 5; i < 8; ++i) header.dim(i, 1);
  for (std::size_t i = 0; i < 4; ++i) header.real(field::pixdim, i, g.pixdim[i]);
  header.real(field::pixdim, 4, info.frames > 1 ? info.frame_step : 0);
  header.data_follow_here();
  header.real(field::scl_slope, 0, 1);
  header.units(static_cast<int>(g.unit) | (info.frames > 1 ? info.time_units : 0));
  header.description(info.description);
  header.code(field::qform_code, g.qform_code);
  header.code(field::sform_code, g.sform_code);
  for (std::size_t i = 0; i < 3; ++i) {
    header.real(field::quatern, i, g.quatern[i]);
    header.real(field::qoffset, i, g.qoffset[i]);
    for (std::size_t j = 0; j < 4; ++j) header.real(field::srow, 4 * i + j, g.srow[i][j]);
  }
  return header.done();
}

}  // namespace evident::imaging
