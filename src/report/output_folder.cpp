#include "report/output_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
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
  fs::path path = fs::absolute(wanted, error);  // fails where the working folder was removed
  if (!error) path = fs::weakly_canonical(path, error);
  if (error) throw InputError(fmt::format("output folder {}: {}", wanted.string(), error.message()));
  return path.has_filename() ? path : path.parent_path();
}

[[noreturn]] void cannot_place(const fs::path& wanted, int error) {
  throw RunError(fmt::format("output folder {}: cannot be put in place: {}", wanted.string(), std::strerror(error)));
}

/// In one step, so that there is no moment without a result, where the file system can.
void swap_folders(const fs::path& made, const fs::path& wanted) {
  if (::renameat2(AT_FDCWD, made.c_str(), AT_FDCWD, wanted.c_str(), RENAME_EXCHANGE) == 0) return;
  const fs::path aside = made.string() + ".aside";
  if (::rename(wanted.c_str(), aside.c_str()) != 0) cannot_place(wanted, errno);
  if (::rename(made.c_str(), wanted.c_str()) != 0) {
    const int error = errno;
    ::rename(aside.c_str(), wanted.c_str());
    cannot_place(wanted, error);
  }
  if (::rename(aside.c_str(), made.c_str()) != 0) cannot_place(wanted, errno);
}

/// What to do about a file that is in the way.
std::string advice() {
  return fmt::format("so {} does not replace the folder; move that file away, or choose another folder ({})",
                     option("force"), option("out"));
}

}  // namespace

// Never replace a folder that this program did not fill: out = "." with force must not empty somebody's home.
void check_replaceable(const fs::path& path, const std::string& shown) {
  if (!fs::is_directory(path)) throw InputError(fmt::format("output folder {}: is a file, not a folder", shown));
  std::string why;
  try {
    why = not_ours(path);
  } catch (const fs::filesystem_error& e) {
    throw InputError(fmt::format("output folder {}: {}", shown, e.code().message()));
  }
  if (!why.empty()) throw InputError(fmt::format("output folder {}: {}, {}", shown, why, advice()));
}

OutputFolder::OutputFolder(const fs::path& wanted, bool force) : wanted_(resolved(wanted)) {
  const std::string shown = wanted.string();
  try {
    if (fs::exists(wanted_)) {
      if (fs::is_directory(wanted_) && !force) {
        throw InputError(fmt::format("output folder {}: exists; give {} to replace it, or another folder ({})", shown,
                                     option("force"), option("out")));
      }
      check_replaceable(wanted_, shown);
      replace_ = true;
    }
    if (!fs::is_directory(wanted_.parent_path())) {
      throw InputError(
          fmt::format("output folder {}: '{}' is not an existing folder", shown, wanted_.parent_path().string()));
    }
  } catch (const fs::filesystem_error& e) {
    throw InputError(fmt::format("output folder {}: {}", shown, e.code().message()));
  }
  made_.emplace(wanted_.parent_path(), wanted_.filename().string(), fmt::format("output folder {}", shown));
  // mkdtemp makes private folders; results are as public as any other file of the user.
  static std::mutex one_at_a_time;  // the mask belongs to the process, and can only be read by setting it
  const std::lock_guard lock(one_at_a_time);
  const mode_t mask = ::umask(0);
  ::umask(mask);
  ::chmod(path().c_str(), 0777 & ~mask);
}

void OutputFolder::publish(const RunFacts& facts) {
  Manifest written(facts);
  written.add_all(path());
  written.write(path() / Manifest::kName);
  publish_unlisted();
}

void OutputFolder::publish_unlisted() {
  // While the lock is held, a program that has to end at once removes nothing: for a moment the old results have the
  // name of the temporary folder.
  const Temporaries::Lock lock = Temporaries::lock();
  if (replace_ && fs::exists(wanted_))
    exchange();
  else
    put_new();
  made_->keep(lock);
}

void OutputFolder::put_new() {
  // RENAME_NOREPLACE: somebody may have made the folder meanwhile.
  if (::renameat2(AT_FDCWD, path().c_str(), AT_FDCWD, wanted_.c_str(), RENAME_NOREPLACE) != 0) {
    if (errno != EINVAL && errno != ENOSYS) cannot_place(wanted_, errno);
    if (::rename(path().c_str(), wanted_.c_str()) != 0) cannot_place(wanted_, errno);
  }
}

/// Throws RunError when the folder has anything in it that is not ours.
void OutputFolder::require_ours(const fs::path& folder) const {
  std::string why;
  try {
    why = not_ours(folder);
  } catch (const fs::filesystem_error& e) {
    why = e.code().message();
  }
  if (!why.empty()) throw RunError(fmt::format("output folder {}: {}, {}", wanted_.string(), why, advice()));
}

void OutputFolder::exchange() {
  require_ours(wanted_);
  const NameLock earlier = NameLock::take(wanted_);  // under the hidden name it is not left behind
  swap_folders(path(), wanted_);
  try {
    require_ours(path());
  } catch (const RunError&) {  // something came in the last moment: back again
    swap_folders(path(), wanted_);
    throw;
  }
  remove_ours(path());
}

}  // namespace evident::report
