// Preloaded into the program by tests (LD_PRELOAD): after so many writes to its journal as EVIDENT_HOLD_AFTER says, the
// process stops itself, so that a test finds it at that point on any machine. SIGCONT lets it go on.
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

bool is_journal(int file) {
  char path[4096];
  const std::string link = "/proc/self/fd/" + std::to_string(file);
  const ssize_t length = ::readlink(link.c_str(), path, sizeof path);
  return length > 0 && std::string_view(path, static_cast<std::size_t>(length)).ends_with("/journal");
}

ssize_t write_and_hold(int file, const void* data, std::size_t size, off_t offset) {
  static std::atomic<int> writes{0};
  const ssize_t written = ::syscall(SYS_pwrite64, file, data, size, offset);
  const char* after = std::getenv("EVIDENT_HOLD_AFTER");
  if (written > 0 && after != nullptr && is_journal(file) && ++writes == std::atoi(after)) std::raise(SIGSTOP);
  return written;
}

}  // namespace

// What the C library would do; the program calls one or the other.
extern "C" ssize_t pwrite(int file, const void* data, std::size_t size, off_t offset) {
  return write_and_hold(file, data, size, offset);
}
extern "C" ssize_t pwrite64(int file, const void* data, std::size_t size, off_t offset) {
  return write_and_hold(file, data, size, offset);
}
