#include "tables/input_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/printable.hpp"
#include "tables/placed_error.hpp"

namespace evident {
namespace {

const char* kind_of(mode_t mode) {
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

/// A name that is too long for a path is too long for a message.
std::string shown(const std::string& name) {
  constexpr std::size_t kLongestPath = 4096, kMost = 80;
  return name.size() < kLongestPath ? name : abridged(name, kMost);
}

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw PlacedError(fmt::format("{}: {}", shown(name), why));
}

}  // namespace

bool is_missing(const std::filesystem::path& path) {
  std::error_code unknown;
  return !std::filesystem::exists(path, unknown) && !unknown;
}

InputFile::InputFile(std::string name, std::uint64_t most) : name_(std::move(name)) {
  // Not to wait for the other end of a pipe, nor to own the terminal that a name may lead to.
  descriptor_ = ::open(name_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  struct stat info {};
  // A socket cannot be opened, and says of itself only that.
  if (descriptor_ < 0 && errno == ENXIO && ::stat(name_.c_str(), &info) == 0 && !S_ISREG(info.st_mode))
    refuse(name_, fmt::format("is {}, not a regular file", kind_of(info.st_mode)));
  if (descriptor_ < 0) refuse(name_, fmt::format("cannot be opened: {}", std::strerror(errno)));
  try {
    if (::fstat(descriptor_, &info) != 0) refuse(name_, std::strerror(errno));
    if (S_ISDIR(info.st_mode)) refuse(name_, "is a folder, not a file");
    if (!S_ISREG(info.st_mode)) refuse(name_, fmt::format("is {}, not a regular file", kind_of(info.st_mode)));
    size_ = static_cast<std::uint64_t>(info.st_size);
    if (size_ > most) refuse_size(most);
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

void InputFile::refuse_size(std::uint64_t most) const {
  constexpr std::uint64_t kMegabyte = std::uint64_t{1} << 20U;
  const bool round = most >= kMegabyte && most % kMegabyte == 0;
  throw TooLarge(fmt::format("{}: is larger than the {} {} that are read", shown(name_),
                             round ? most / kMegabyte : most, round ? "MB" : "bytes"));
}

InputFile::~InputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

InputFile::InputFile(InputFile&& other) noexcept
    : name_(std::move(other.name_)), descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_) {}

InputFile& InputFile::operator=(InputFile&& other) noexcept {
  std::swap(name_, other.name_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(size_, other.size_);
  return *this;
}

std::size_t InputFile::read(std::span<std::byte> to) {
  std::size_t done = 0;
  while (done < to.size()) {
    const ssize_t n = ::read(descriptor_, to.data() + done, to.size() - done);
    if (n == 0) break;
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) refuse(name_, fmt::format("cannot be read: {}", std::strerror(errno)));
    done += static_cast<std::size_t>(n);
  }
  return done;
}

void InputFile::rewind() {
  if (::lseek(descriptor_, 0, SEEK_SET) != 0) refuse(name_, fmt::format("cannot be read: {}", std::strerror(errno)));
}

}  // namespace evident
