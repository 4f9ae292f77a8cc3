#include "imaging/nifti/nifti_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "base/byte_order.hpp"
#include "evident/base/error.hpp"
#include "imaging/nifti/nifti_fields.hpp"

namespace evident::imaging {
namespace {

// Numbers of one header, whatever its version.
class Fields {
 public:
  Fields(std::span<const std::byte> bytes, HeaderKind kind)
      : data_(bytes.data()), swap_(kind.swap), first_(kind.bytes == kHeader1Bytes) {}

  bool version1() const { return first_; }
  double real(Field f, std::size_t i = 0) const {
    return first_ ? load<float>(data_ + f.in1 + 4 * i, swap_) : load<double>(data_ + f.in2 + 8 * i, swap_);
  }
  std::int64_t dim(std::size_t i) const {
    return first_ ? load<std::int16_t>(data_ + field::dim.in1 + 2 * i, swap_)
                  : load<std::int64_t>(data_ + field::dim.in2 + 8 * i, swap_);
  }
  int short_int(Field f) const { return load<std::int16_t>(at(f), swap_); }
  int code(Field f) const { return first_ ? load<std::int16_t>(at(f), swap_) : load<std::int32_t>(at(f), swap_); }
  int units() const {
    return first_ ? std::to_integer<int>(*at(field::xyzt_units)) : load<std::int32_t>(at(field::xyzt_units), swap_);
  }
  std::int64_t offset_in_2() const { return load<std::int64_t>(data_ + field::vox_offset.in2, swap_); }
  std::string text(Field f, std::size_t most) const {
    const char* begin = reinterpret_cast<const char*>(at(f));
    return {begin, ::strnlen(begin, most)};
  }

 private:
  const std::byte* at(Field f) const { return data_ + (first_ ? f.in1 : f.in2); }

  const std::byte* data_;
  bool swap_, first_;
};

void check_magic(const Fields& fields, const std::string& file) {
  const std::string magic = fields.text(field::magic, fields.version1() ? 4 : 8);
  if (magic == (fields.version1() ? "n+1" : "n+2")) return;
  if (magic.starts_with("ni1") || magic.starts_with("ni2")) {
    throw InputError(
        fmt::format("{}: a header whose data are in another file (.hdr and .img); convert the pair to one "
                    ".nii file",
                    file));
  }
  throw InputError(fmt::format(
      "{}: not a NIfTI file: its header has no mark 'n+1' or 'n+2' (an ANALYZE file?); convert it to NIfTI", file));
}

// NIfTI's numbers for types that hold no real numbers; nothing else is refused by name.
const char* refused_type(int number) {
  switch (number) {
    case 1:
      return "binary";
    case 32:
    case 1792:
    case 2048:
      return "complex";
    case 128:
    case 2304:
      return "RGB colour";
    case 1536:
      return "float128";
    default:
      return nullptr;
  }
}

Datatype checked_type(int number, const std::string& file) {
  const auto type = static_cast<Datatype>(number);
  if (bytes_of(type) > 0) return type;
  if (const char* name = refused_type(number)) {
    throw InputError(fmt::format("{}: holds {} values; needed are integers, float32 or float64", file, name));
  }
  throw InputError(fmt::format("{}: the header's datatype {} is none of NIfTI's", file, number));
}

// Shape and frames. Of the dimensions beyond space one at most may be longer than 1; it is taken as time.
void read_dims(const Fields& fields, const std::string& file, NiftiHeader& header) {
  const std::int64_t count = fields.dim(0);
  if (count < 1 || count > 7) {
    throw InputError(fmt::format("{}: the header says {} dimensions; 1 to 7 are possible", file, count));
  }
  std::string shape;
  int longer = 0;
  std::uint64_t total = bytes_of(header.info.type);
  for (std::size_t i = 1; i <= static_cast<std::size_t>(count); ++i) {
    const std::int64_t size = fields.dim(i);
    if (size < 1) {
      throw InputError(fmt::format("{}: the header's dim[{}] is {}; sizes are 1 or more", file, i, size));
    }
    shape += fmt::format("{}{}", i > 1 ? " x " : "", size);
    const auto length = static_cast<std::uint64_t>(size);
    constexpr std::uint64_t kMost = std::uint64_t{1} << 60;
    if (__builtin_mul_overflow(total, length, &total) || total > kMost) {
      throw InputError(fmt::format("{}: the header's shape {} is absurd; is the file damaged?", file, shape));
    }
    if (i <= 3) {
      header.geometry.shape[i - 1] = length;
    } else if (length > 1) {
      ++longer;
      header.info.frames = length;
    }
    if (i == 3 || (i < 3 && i == static_cast<std::size_t>(count))) header.volume_bytes = total;
  }
  if (longer > 1) {
    throw InputError(fmt::format("{}: has the shape {}; beyond space there may be one dimension, time", file, shape));
  }
  header.total_bytes = header.data_offset + total;
}

void read_offset(const Fields& fields, const std::string& file, NiftiHeader& header) {
  // The header is followed by four bytes that say whether extensions follow.
  const std::uint64_t least = (fields.version1() ? kHeader1Bytes : kHeader2Bytes) + 4;
  const double offset = fields.version1() ? fields.real(field::vox_offset) : static_cast<double>(fields.offset_in_2());
  if (offset == 0) {  // not filled in
    header.data_offset = least;
    return;
  }
  constexpr double kMost = 1e15;
  if (!(offset >= static_cast<double>(least)) || offset > kMost || offset != std::floor(offset)) {
    throw InputError(
        fmt::format("{}: the header says that the data begin at byte {}; {} or more is possible", file, offset, least));
  }
  header.data_offset = static_cast<std::uint64_t>(offset);
}

void read_scaling(const Fields& fields, const std::string& file, ImageInfo& info) {
  const double slope = fields.real(field::scl_slope), intercept = fields.real(field::scl_inter);
  if (!std::isfinite(slope) || (slope != 0 && !std::isfinite(intercept))) {
    throw InputError(
        fmt::format("{}: the header's scl_slope {} and scl_inter {} are not finite; without scaling they "
                    "are 1 and 0",
                    file, slope, intercept));
  }
  info.slope = slope == 0 ? 1 : slope;  // NIfTI: 0 means no scaling
  info.intercept = slope == 0 ? 0 : intercept;
}

void read_geometry(const Fields& fields, const std::string& file, NiftiHeader& header) {
  Geometry& g = header.geometry;
  g.nifti_version = fields.version1() ? 1 : 2;
  for (std::size_t i = 0; i < 4; ++i) g.pixdim[i] = fields.real(field::pixdim, i);
  g.qform_code = fields.code(field::qform_code);
  g.sform_code = fields.code(field::sform_code);
  for (std::size_t i = 0; i < 3; ++i) {
    g.quatern[i] = fields.real(field::quatern, i);
    g.qoffset[i] = fields.real(field::qoffset, i);
    for (std::size_t j = 0; j < 4; ++j) g.srow[i][j] = fields.real(field::srow, 4 * i + j);
  }
  const int units = fields.units(), space = units & 7;
  g.unit = space <= 3 ? static_cast<SpaceUnit>(space) : SpaceUnit::unknown;
  header.info.time_units = units & 0x38;
  header.info.frame_step = fields.real(field::pixdim, 4);
  const auto warnings = set_affine(g, file);
  header.warnings.insert(header.warnings.end(), warnings.begin(), warnings.end());
}

}  // namespace

HeaderKind header_kind(std::span<const std::byte> first_four) {
  for (const bool swap : {false, true}) {
    const auto size = load<std::int32_t>(first_four.data(), swap);
    if (size == static_cast<std::int32_t>(kHeader1Bytes)) return {.bytes = kHeader1Bytes, .swap = swap};
    if (size == static_cast<std::int32_t>(kHeader2Bytes)) return {.bytes = kHeader2Bytes, .swap = swap};
  }
  return {};
}

NiftiHeader parse_header(std::span<const std::byte> bytes, HeaderKind kind, const std::string& file) {
  const Fields fields(bytes, kind);
  NiftiHeader header;
  header.swap = kind.swap;
  header.info.big_endian = kind.swap != kBigEndianHost;
  check_magic(fields, file);
  header.info.type = checked_type(fields.short_int(field::datatype), file);
  if (const int bits = fields.short_int(field::bitpix); bits != static_cast<int>(8 * bytes_of(header.info.type))) {
    header.warnings.push_back(fmt::format("{}: the header's bitpix {} does not fit its datatype {}, which is used",
                                          file, bits, name_of(header.info.type)));
  }
  read_offset(fields, file, header);
  read_dims(fields, file, header);
  read_scaling(fields, file, header.info);
  read_geometry(fields, file, header);
  header.info.description = fields.text(field::descrip, kDescriptionBytes);
  return header;
}

}  // namespace evident::imaging
