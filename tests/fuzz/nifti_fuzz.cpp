// NIfTI images, as they are or compressed here by gzip, so that the bytes within are reached: the answer is an image or
// an InputError.
#include <zlib.h>

#include "evident/base/error.hpp"
#include "fuzz.hpp"
#include "imaging/nifti/nifti.hpp"

namespace {

std::string compressed(std::string_view bytes) {
  static z_stream stream{};
  constexpr int kWindowAndGzip = 15 + 16;
  static const bool begun = deflateInit2(&stream, 1, Z_DEFLATED, kWindowAndGzip, 1, Z_DEFAULT_STRATEGY) == Z_OK;
  fuzz::require(begun && deflateReset(&stream) == Z_OK, "zlib starts");
  std::string out(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  fuzz::require(deflate(&stream, Z_FINISH) == Z_STREAM_END, "zlib ends");
  out.resize(stream.total_out);
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  static fuzz::MemoryFile file;
  const std::string_view image = fuzz::text_of({bytes + 1, size - 1});
  file.fill(bytes[0] & 1 ? compressed(image) : image);
  try {
    evident::imaging::NiftiReader reader(file.path());
    const std::size_t voxels = reader.geometry().voxels();
    fuzz::require(voxels >= 1 && voxels <= size * 1100, "no image is larger than its file can hold");
    std::vector<float> volume(voxels);
    for (std::size_t f = 0; f < reader.frames() && f < 3; ++f) reader.read_volume(volume);
    reader.finish();
  } catch (const evident::InputError&) {
  }
  return 0;
}
