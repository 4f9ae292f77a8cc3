#include "journal/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

#include "evident/base/error.hpp"
#include "journal/temporaries.hpp"

namespace evident {

int open_beside(const std::filesystem::path& file, std::string& temporary, NameLock& lock) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    std::uint64_t random = 0;  // in a shared folder nobody shall know the name beforehand
    if (::getrandom(&random, sizeof random, 0) != sizeof random) return -1;
    const auto name = fmt::format("{}{:016x}.part", hidden_name(file.filename().string()), random);
    temporary = (file.parent_path() / name).string();
    const int opened = ::open(temporary.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (opened < 0 && errno == EEXIST) continue;
    if (opened < 0) return opened;
    lock = NameLock::take(opened);
    if (lock.still_has(temporary)) return opened;
    ::close(opened);
  }
  return -1;
}

struct OutputFile::State {
  std::string wanted, temporary;
  int file = -1;
  NameLock while_hidden;

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { discard(); }

  void discard() {
    if (file >= 0) ::close(file);
    file = -1;
    if (temporary.empty()) return;
    const Temporaries::Lock lock = Temporaries::lock();
    ::unlink(temporary.c_str());
    Temporaries::forget(temporary, lock);
    temporary.clear();
    while_hidden = NameLock();
  }

  void put_in_place() {
    int error = 0;
    {
      const Temporaries::Lock lock = Temporaries::lock();
      if (::rename(temporary.c_str(), wanted.c_str()) != 0)
        error = errno;
      else
        Temporaries::forget(temporary, lock);
    }
    if (error != 0) fail(error);
    temporary.clear();
    while_hidden = NameLock();
  }

  [[noreturn]] void fail(int error) {
    discard();
    throw RunError(fmt::format("{}: cannot be written: {}; nothing of it is left", wanted, std::strerror(error)));
  }

  void put(const std::byte* bytes, std::size_t count) {
    if (file < 0) fail(EBADF);
    while (count > 0) {
      const ssize_t n = ::write(file, bytes, count);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) fail(n < 0 ? errno : ENOSPC);
      bytes += n;
      count -= static_cast<std::size_t>(n);
    }
  }
};

OutputFile::OutputFile(const std::filesystem::path& file) : state_(std::make_unique<State>()) {
  state_->wanted = file.string();
  remove_files_left_behind(file.parent_path());
  const Temporaries::Lock lock = Temporaries::lock();
  state_->file = open_beside(file, state_->temporary, state_->while_hidden);
  if (state_->file >= 0) Temporaries::add(state_->temporary, lock);
  if (state_->file < 0) {
    const int error = errno;
    state_->temporary.clear();
    throw InputError(fmt::format("{}: cannot be written: {}", state_->wanted, std::strerror(error)));
  }
}

OutputFile::~OutputFile() = default;
OutputFile::OutputFile(OutputFile&&) noexcept = default;
OutputFile& OutputFile::operator=(OutputFile&&) noexcept = default;

void OutputFile::write(std::span<const std::byte> bytes) { state_->put(bytes.data(), bytes.size()); }

void OutputFile::commit() {
  State& s = *state_;
  if (s.file < 0 || ::fsync(s.file) != 0) s.fail(errno);
  const int file = std::exchange(s.file, -1);
  if (::close(file) != 0) s.fail(errno);
  s.put_in_place();
}

}  // namespace evident
