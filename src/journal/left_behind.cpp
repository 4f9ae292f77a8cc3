#include "journal/left_behind.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <exception>
#include <mutex>
#include <set>
#include <system_error>

#include "journal/journal.hpp"

namespace evident {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHexDigits = "0123456789abcdef";
constexpr std::string_view kPartEnding = ".part";
constexpr std::size_t kFolderDigits = 6, kFileDigits = 16;

/// ".evident-8f3a11c2.", with a sum of the machine's name.
const std::string& mark() {
  static const std::string text = [] {
    char host[256] = "";
    if (::gethostname(host, sizeof host - 1) != 0) host[0] = '\0';
    Fingerprint sum;
    sum.add(host);
    return fmt::format(".evident-{:08x}.", sum.value() & 0xFFFFFFFFU);
  }();
  return text;
}

enum class Kind { other, file, folder };

/// What a name of this program's says it is.
Kind kind_of(const std::string& name) {
  const std::size_t at = name.rfind(mark());
  if (!name.starts_with('.') || at == std::string::npos || at < 2) return Kind::other;
  std::string_view rest = std::string_view(name).substr(at + mark().size());
  if (rest.size() == kFolderDigits)
    return rest.find_first_not_of("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") ==
                   std::string_view::npos
               ? Kind::folder
               : Kind::other;
  if (!rest.ends_with(kPartEnding)) return Kind::other;
  rest.remove_suffix(kPartEnding.size());
  return rest.size() == kFileDigits && rest.find_first_not_of(kHexDigits) == std::string_view::npos ? Kind::file
                                                                                                    : Kind::other;
}

/// -1 when a living process has it, or nobody can tell.
int lock_of_dead(const fs::path& path, Kind kind) {
  const int handle = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (handle < 0) return -1;
  struct stat info {};
  const bool as_named = ::fstat(handle, &info) == 0 && info.st_uid == ::geteuid() &&
                        (kind == Kind::folder ? S_ISDIR(info.st_mode) : S_ISREG(info.st_mode));
  if (as_named && ::flock(handle, LOCK_EX | LOCK_NB) == 0) return handle;
  ::close(handle);
  return -1;
}

void remove_dead(const fs::path& path, Kind kind, const std::function<bool(const fs::path&)>& is_ours) {
  const int handle = lock_of_dead(path, kind);
  if (handle < 0) return;
  const NameLock lock = NameLock::take(handle);
  ::close(handle);  // NameLock keeps a copy
  if (!lock.still_has(path) || (kind == Kind::folder && (!is_ours || !is_ours(path)))) return;
  std::error_code ignored;
  fs::remove_all(path, ignored);
}

/// The first time for a folder of this process: who writes thousands of files looks once.
bool is_first_look(const fs::path& folder, bool at_folders) {
  static std::mutex mutex;
  static auto* const seen = new std::set<std::pair<fs::path, bool>>;  // never destroyed: threads may be at work
  std::error_code failed;
  const fs::path whole = fs::absolute(folder.empty() ? "." : folder, failed);
  const std::lock_guard lock(mutex);
  return !failed && seen->emplace(whole.lexically_normal(), at_folders).second;
}

}  // namespace

std::string hidden_name(std::string_view name) { return fmt::format(".{:.200}{}", name, mark()); }

NameLock NameLock::take(const fs::path& path) {
  const int handle = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (handle < 0) return {};
  NameLock lock = take(handle);
  ::close(handle);
  return lock;
}

NameLock NameLock::take(int descriptor) {
  NameLock lock;
  lock.descriptor_ = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);  // shares the lock, and keeps it when the other is closed
  lock.others_ = lock.descriptor_ >= 0 && ::flock(lock.descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  return lock;
}

NameLock::~NameLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool NameLock::still_has(const fs::path& path) const {
  struct stat here {};
  struct stat there {};
  if (others_ || ::lstat(path.c_str(), &there) != 0) return false;
  if (descriptor_ < 0) return true;  // there are no locks, and so nobody removes it
  return ::fstat(descriptor_, &here) == 0 && here.st_ino == there.st_ino && here.st_dev == there.st_dev;
}

void remove_left_behind(const fs::path& folder, const std::function<bool(const fs::path&)>& is_ours) noexcept {
  try {
    if (!is_first_look(folder, is_ours != nullptr)) return;
    std::error_code ignored;
    std::set<std::pair<fs::path, Kind>> found;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder.empty() ? "." : folder, ignored))
      if (const Kind kind = kind_of(entry.path().filename().string()); kind != Kind::other)
        found.emplace(entry.path(), kind);
    for (const auto& [path, kind] : found) remove_dead(path, kind, is_ours);
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): they stay, which is no harm
  }
}

void remove_files_left_behind(const fs::path& folder) noexcept { remove_left_behind(folder, nullptr); }

}  // namespace evident
