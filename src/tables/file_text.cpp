#include "tables/file_text.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "tables/placed_error.hpp"

namespace evident {
namespace {

struct Descriptor {
  int fd;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

}  // namespace

std::string file_text(const std::string& file, std::size_t max_bytes) {
  const Descriptor in{::open(file.c_str(), O_RDONLY | O_CLOEXEC)};
  if (in.fd < 0) throw PlacedError(fmt::format("{}: cannot be opened: {}", file, std::strerror(errno)));
  struct stat info {};
  if (::fstat(in.fd, &info) != 0) throw PlacedError(fmt::format("{}: {}", file, std::strerror(errno)));
  if (S_ISDIR(info.st_mode)) throw PlacedError(fmt::format("{}: is a folder, not a file", file));
  // A pipe is fine ("<(zcat data.csv.gz)"); an endless device is not.
  if (!S_ISREG(info.st_mode) && !S_ISFIFO(info.st_mode)) {
    throw PlacedError(fmt::format("{}: is neither a regular file nor a pipe", file));
  }
  std::string text;
  if (S_ISREG(info.st_mode)) text.reserve(static_cast<std::size_t>(info.st_size) < max_bytes ? info.st_size : 0);
  char buffer[1 << 16];
  for (;;) {
    const ssize_t n = ::read(in.fd, buffer, sizeof buffer);
    if (n == 0) return text;
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw PlacedError(fmt::format("{}: cannot be read: {}", file, std::strerror(errno)));
    if (text.size() + static_cast<std::size_t>(n) > max_bytes) {
      throw PlacedError(fmt::format("{}: is larger than {} bytes, which is more than is read", file, max_bytes));
    }
    text.append(buffer, static_cast<std::size_t>(n));
  }
}

}  // namespace evident
