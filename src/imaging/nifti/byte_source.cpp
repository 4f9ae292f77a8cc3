#include "imaging/nifti/byte_source.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <vector>

#include "evident/base/error.hpp"
#include "tables/input_file.hpp"

namespace evident::imaging {
namespace {

constexpr std::size_t kInputBuffer = std::size_t{1} << 18;
constexpr std::uint64_t kGzipMostFactor = 1032;

}  // namespace

struct ByteSource::State {
  InputFile file;
  std::uint64_t delivered = 0;
  bool compressed = false, ended = false;
  std::string problem;

  std::vector<std::byte> input;  // read from the file, not yet used: input[first .. last)
  std::size_t first = 0, last = 0;
  z_stream inflater{};
  bool inflating = false;  // inside a member of the gzip file

  explicit State(const std::string& name) : file(name) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (compressed) inflateEnd(&inflater);
  }

  bool refill() {
    if (first < last) return true;
    first = 0;
    last = file.read(input);
    return last > 0;
  }

  std::size_t end(std::string why) {
    ended = true;
    problem = std::move(why);
    return 0;
  }

  // A gzip file is one member or several, one after the other (as parallel compressors write them).
  bool begin_member() {
    if (!refill()) return end("") != 0;
    if (last - first < 2) {
      input[0] = input[first];
      last = 1 + file.read(std::span(input).subspan(1));
      first = 0;
    }
    if (last - first < 2 || input[first] != std::byte{0x1f} || input[first + 1] != std::byte{0x8b}) {
      return end("something that is not gzip data follows the compressed data") != 0;
    }
    inflateReset(&inflater);
    return inflating = true;
  }

  std::size_t inflate_some(std::byte* out, std::size_t count) {
    if (!inflating && !begin_member()) return 0;
    if (!refill()) return end("the compressed data end early");
    inflater.next_in = reinterpret_cast<Bytef*>(input.data() + first);
    inflater.avail_in = static_cast<uInt>(last - first);
    inflater.next_out = reinterpret_cast<Bytef*>(out);
    inflater.avail_out = static_cast<uInt>(std::min(count, std::size_t{1} << 30));
    const uInt wanted = inflater.avail_out;
    const int result = ::inflate(&inflater, Z_NO_FLUSH);
    first = last - inflater.avail_in;
    const std::size_t got = wanted - inflater.avail_out;
    if (result == Z_STREAM_END) {
      inflating = false;
    } else if (result == Z_MEM_ERROR) {
      throw RunError(fmt::format("{}: no memory left to decompress it", file.name()));
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
      end(fmt::format("the compressed data are damaged ({})", inflater.msg ? inflater.msg : "zlib cannot read them"));
    }
    return got;
  }
};

ByteSource::ByteSource(const std::filesystem::path& file) : state_(std::make_unique<State>(file.string())) {
  State& s = *state_;
  std::array<std::byte, 2> magic{};
  const bool has_magic = s.file.read(magic) == magic.size();
  s.file.rewind();
  if (has_magic && magic[0] == std::byte{0x1f} && magic[1] == std::byte{0x8b}) {
    constexpr int kWindowAndGzip = 15 + 16;
    if (inflateInit2(&s.inflater, kWindowAndGzip) != Z_OK) {
      throw RunError(fmt::format("{}: no memory left to decompress it", s.file.name()));
    }
    s.compressed = true;
    s.input.resize(static_cast<std::size_t>(std::clamp<std::uint64_t>(s.file.size(), magic.size(), kInputBuffer)));
  }
}

ByteSource::~ByteSource() = default;
ByteSource::ByteSource(ByteSource&&) noexcept = default;
ByteSource& ByteSource::operator=(ByteSource&&) noexcept = default;

const std::string& ByteSource::name() const { return state_->file.name(); }
bool ByteSource::compressed() const { return state_->compressed; }
std::uint64_t ByteSource::file_size() const { return state_->file.size(); }
std::uint64_t ByteSource::delivered() const { return state_->delivered; }
const std::string& ByteSource::problem() const { return state_->problem; }

std::uint64_t ByteSource::most() const {
  const std::uint64_t size = state_->file.size();
  if (!state_->compressed) return size;
  return size > UINT64_MAX / kGzipMostFactor ? UINT64_MAX : size * kGzipMostFactor;
}

std::size_t ByteSource::read(std::span<std::byte> out) {
  State& s = *state_;
  std::size_t done = 0;
  if (!s.compressed) {
    done = s.file.read(out);
  } else {
    while (done < out.size() && !s.ended) done += s.inflate_some(out.data() + done, out.size() - done);
  }
  s.delivered += done;
  return done;
}

}  // namespace evident::imaging
