// The header of a NIfTI file, of either version and byte order, checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "imaging/nifti/geometry.hpp"
#include "imaging/nifti/nifti.hpp"

namespace evident::imaging {

inline constexpr std::size_t kHeader1Bytes = 348, kHeader2Bytes = 540;

struct NiftiHeader {
  Geometry geometry;
  ImageInfo info;
  bool swap = false;
  std::uint64_t data_offset = 0;
  std::uint64_t volume_bytes = 0;
  std::uint64_t total_bytes = 0;  ///< of the whole file, decompressed
  std::vector<std::string> warnings;
};

/// How long the header is that begins with these four bytes, and whether its bytes are swapped; 0 when it is no NIfTI.
struct HeaderKind {
  std::size_t bytes = 0;
  bool swap = false;
};
HeaderKind header_kind(std::span<const std::byte> first_four);

/// `bytes` is the whole header. Throws InputError, with `file` in its text.
NiftiHeader parse_header(std::span<const std::byte> bytes, HeaderKind kind, const std::string& file);

/// The header to write: version 1 unless the geometry or a dimension asks for 2; ends with an empty list of extensions.
std::vector<std::byte> make_header(const Geometry& geometry, const ImageInfo& info);

}  // namespace evident::imaging
