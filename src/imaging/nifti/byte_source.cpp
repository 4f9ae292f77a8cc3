#include "imaging/nifti/byte_source.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include "evident/base/error.hpp"

namespace evident::imaging {
namespace {

constexpr std::size_t kInputBuffer = std::size_t{1} << 18;
constexpr std::uint64_t kGzipMostFactor = 1032;

}  // namespace

struct ByteSource::State {
  std::string name;
  int file = -1;
  std::uint64_t size = 0, delivered = 0;
  bool compressed = false, ended = false;
  std::string problem;

  std::vector<std::byte> input;  // read from the file, not yet used: input[first .. last)
  std::size_t first = 0, last = 0;
  z_stream inflater{};
  bool inflating = false;  // inside a member of the gzip file

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (compressed) inflateEnd(&inflater);
    if (file >= 0) ::close(file);
  }

  std::size_t read_file(std::byte* out, std::size_t count) {
    std::size_t done = 0;
    while (done < count) {
      const ssize_t n = ::read(file, out + done, count - done);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) throw InputError(fmt::format("{}: cannot be read: {}", name, std::strerror(errno)));
      if (n == 0) break;
      done += static_cast<std::size_t>(n);
    }
    return done;
  }

  bool refill() {
    if (first < last) return true;
    first = 0;
    last = read_file(input.data(), input.size());
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
      last = 1 + read_file(input.data() + 1, input.size() - 1);
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
      throw RunError(fmt::format("{}: no memory left to decompress it", name));
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
      end(fmt::format("the compressed data are damaged ({})", inflater.msg ? inflater.msg : "zlib cannot read them"));
    }
    return got;
  }
};

ByteSource::ByteSource(const std::filesystem::path& file) : state_(std::make_unique<State>()) {
  State& s = *state_;
  s.name = file.string();
  // Not to hang on a pipe that nobody writes to.
  s.file = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (s.file < 0) throw InputError(fmt::format("{}: cannot be opened: {}", s.name, std::strerror(errno)));
  struct stat status {};
  if (::fstat(s.file, &status) != 0) throw InputError(fmt::format("{}: {}", s.name, std::strerror(errno)));
  if (!S_ISREG(status.st_mode)) throw InputError(fmt::format("{}: is not a file of data", s.name));
  s.size = static_cast<std::uint64_t>(status.st_size);
  ::posix_fadvise(s.file, 0, 0, POSIX_FADV_SEQUENTIAL);

  std::array<std::byte, 2> magic{};
  const bool has_magic = s.read_file(magic.data(), magic.size()) == magic.size();
  if (::lseek(s.file, 0, SEEK_SET) != 0) throw InputError(fmt::format("{}: {}", s.name, std::strerror(errno)));
  if (has_magic && magic[0] == std::byte{0x1f} && magic[1] == std::byte{0x8b}) {
    constexpr int kWindowAndGzip = 15 + 16;
    if (inflateInit2(&s.inflater, kWindowAndGzip) != Z_OK) {
      throw RunError(fmt::format("{}: no memory left to decompress it", s.name));
    }
    s.compressed = true;
    s.input.resize(static_cast<std::size_t>(std::clamp<std::uint64_t>(s.size, magic.size(), kInputBuffer)));
  }
}

ByteSource::~ByteSource() = default;
ByteSource::ByteSource(ByteSource&&) noexcept = default;
ByteSource& ByteSource::operator=(ByteSource&&) noexcept = default;

const std::string& ByteSource::name() const { return state_->name; }
bool ByteSource::compressed() const { return state_->compressed; }
std::uint64_t ByteSource::file_size() const { return state_->size; }
std::uint64_t ByteSource::delivered() const { return state_->delivered; }
const std::string& ByteSource::problem() const { return state_->problem; }

std::uint64_t ByteSource::most() const {
  if (!state_->compressed) return state_->size;
  const std::uint64_t limit = UINT64_MAX / kGzipMostFactor;
  return state_->size > limit ? UINT64_MAX : state_->size * kGzipMostFactor;
}

std::size_t ByteSource::read(std::span<std::byte> out) {
  State& s = *state_;
  std::size_t done = 0;
  if (!s.compressed) {
    done = s.read_file(out.data(), out.size());
  } else {
    while (done < out.size() && !s.ended) done += s.inflate_some(out.data() + done, out.size() - done);
  }
  s.delivered += done;
  return done;
}

}  // namespace evident::imaging
