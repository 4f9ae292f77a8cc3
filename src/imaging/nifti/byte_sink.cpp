#include "imaging/nifti/byte_sink.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>

#include "evident/base/error.hpp"
#include "journal/output_file.hpp"

namespace evident::imaging {

struct ByteSink::State {
  OutputFile file;
  bool compressed = false;
  z_stream deflater{};
  gz_header header{};  // zlib reads it when the first bytes are written
  std::array<std::byte, std::size_t{1} << 16> buffer{};

  explicit State(const std::filesystem::path& name) : file(name) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (compressed) deflateEnd(&deflater);
  }

  void deflate_all(std::span<const std::byte> bytes, int flush) {
    constexpr std::size_t kMost = std::size_t{1} << 30;
    do {
      const auto part = bytes.first(std::min(bytes.size(), kMost));
      bytes = bytes.subspan(part.size());
      // zlib promises not to write to its input.
      deflater.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(part.data()));
      deflater.avail_in = static_cast<uInt>(part.size());
      do {
        deflater.next_out = reinterpret_cast<Bytef*>(buffer.data());
        deflater.avail_out = static_cast<uInt>(buffer.size());
        ::deflate(&deflater, flush);
        file.write(std::span(buffer).first(buffer.size() - deflater.avail_out));
      } while (deflater.avail_out == 0);
    } while (!bytes.empty());
  }
};

ByteSink::ByteSink(const std::filesystem::path& file, bool compressed) : state_(std::make_unique<State>(file)) {
  if (!compressed) return;
  constexpr int kWindowAndGzip = 15 + 16, kMemory = 9;
  if (deflateInit2(&state_->deflater, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kWindowAndGzip, kMemory, Z_DEFAULT_STRATEGY) !=
      Z_OK) {
    throw RunError(fmt::format("{}: no memory left to compress it", file.string()));
  }
  state_->compressed = true;
  state_->header.os = 255;  // unknown, on every system; no time, no name
  deflateSetHeader(&state_->deflater, &state_->header);
}

ByteSink::~ByteSink() = default;
ByteSink::ByteSink(ByteSink&&) noexcept = default;
ByteSink& ByteSink::operator=(ByteSink&&) noexcept = default;

void ByteSink::write(std::span<const std::byte> bytes) {
  state_->compressed ? state_->deflate_all(bytes, Z_NO_FLUSH) : state_->file.write(bytes);
}

void ByteSink::commit() {
  if (state_->compressed) state_->deflate_all({}, Z_FINISH);
  state_->file.commit();
}

}  // namespace evident::imaging
