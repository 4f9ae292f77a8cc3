#include "report/output_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <string>

#include "base/option.hpp"
#include "evident/base/error.hpp"
#include "journal/temporaries.hpp"

namespace evident::report {
namespace fs = std::filesystem;
namespace {

// Absolute, links resolved as far as it exists, and without a slash at the end.
fs::path resolved(const fs::path& wanted) {
  std::error_code error;
  fs::path path = fs::weakly_canonical(fs::absolute(wanted), error);
  if (error) throw InputError(fmt::format("output folder {}: {}", wanted.string(), error.message()));
  return path.has_filename() ? path : path.parent_path();
}

// Never replace a folder that this program did not fill: out = "." with force must not empty somebody's home.
void check_replaceable(const fs::path& path, const std::string& shown, const std::string& mark) {
  if (!fs::is_directory(path)) throw InputError(fmt::format("output folder {}: is a file, not a folder", shown));
  if (!fs::is_empty(path) && !fs::is_regular_file(path / mark)) {
    throw InputError(
        fmt::format("output folder {}: holds other files and no {}, so {} does not replace it; choose another one ({})",
                    shown, mark, option("force"), option("out")));
  }
}

}  // namespace

OutputFolder::OutputFolder(const fs::path& wanted, bool force, const std::string& mark) : wanted_(resolved(wanted)) {
  const std::string shown = wanted.string();
  try {
    if (fs::exists(wanted_)) {
      if (fs::is_directory(wanted_) && !force) {
        throw InputError(fmt::format("output folder {}: exists; give {} to replace it, or another folder ({})", shown,
                                     option("force"), option("out")));
      }
      check_replaceable(wanted_, shown, mark);
      replace_ = true;
    }
    if (!fs::is_directory(wanted_.parent_path())) {
      throw InputError(
          fmt::format("output folder {}: '{}' is not an existing folder", shown, wanted_.parent_path().string()));
    }
  } catch (const fs::filesystem_error& e) {
    throw InputError(fmt::format("output folder {}: {}", shown, e.code().message()));
  }
  std::string name = fmt::format("{}/.{:.200}.XXXXXX", wanted_.parent_path().string(), wanted_.filename().string());
  {
    const Temporaries::Lock lock = Temporaries::lock();
    if (!::mkdtemp(name.data())) {
      throw InputError(fmt::format("output folder {}: cannot be written: {}", shown, std::strerror(errno)));
    }
    temporary_ = name;
    Temporaries::add(temporary_, lock);
  }
  // mkdtemp makes private folders; results are as public as any other file of the user.
  static std::mutex one_at_a_time;  // the mask belongs to the process, and can only be read by setting it
  const std::lock_guard lock(one_at_a_time);
  const mode_t mask = ::umask(0);
  ::umask(mask);
  ::chmod(name.c_str(), 0777 & ~mask);
}

OutputFolder::~OutputFolder() { discard(); }

void OutputFolder::publish() {
  {
    const Temporaries::Lock lock = Temporaries::lock();
    const fs::path made = temporary_;
    take_place();
    Temporaries::forget(made, lock);
    if (!temporary_.empty()) Temporaries::add(temporary_, lock);
  }
  discard();
}

/// What was there before is then in the temporary folder.
void OutputFolder::take_place() {
  const auto fail = [&](int error) {
    throw RunError(fmt::format("output folder {}: cannot be put in place: {}", wanted_.string(), std::strerror(error)));
  };
  if (!replace_) {
    // RENAME_NOREPLACE: somebody may have made the folder meanwhile.
    if (::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, wanted_.c_str(), RENAME_NOREPLACE) == 0) {
      temporary_.clear();
      return;
    }
    if (errno != EINVAL && errno != ENOSYS) fail(errno);
    if (::rename(temporary_.c_str(), wanted_.c_str()) != 0) fail(errno);
    temporary_.clear();
    return;
  }
  // The exchange is one step, so there is no moment without a result; the old one is removed afterwards.
  if (::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, wanted_.c_str(), RENAME_EXCHANGE) != 0) {
    const fs::path old = temporary_.string() + ".old";
    if (::rename(wanted_.c_str(), old.c_str()) != 0) fail(errno);
    if (::rename(temporary_.c_str(), wanted_.c_str()) != 0) {
      const int error = errno;
      ::rename(old.c_str(), wanted_.c_str());
      fail(error);
    }
    temporary_ = old;
  }
}

void OutputFolder::discard() noexcept {
  if (temporary_.empty()) return;
  const Temporaries::Lock lock = Temporaries::lock();
  std::error_code ignored;
  fs::remove_all(temporary_, ignored);
  Temporaries::forget(temporary_, lock);
  temporary_.clear();
}

}  // namespace evident::report
