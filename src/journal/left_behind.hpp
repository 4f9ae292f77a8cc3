// Hidden files and folders that are being written, and those that a killed run has left: they have the same names, and
// a lock tells them apart.
//
//   std::string name = hidden_name("out") + "XXXXXX";       // ".out.evident-8f3a11c2.XXXXXX"
//   mkdtemp(...);
//   const NameLock ours = NameLock::take(name);             // as long as this lives, nobody takes it for left behind
//   ...
//   remove_files_left_behind(folder);                       // what no living process has locked goes
//
// The system gives a lock up when its process ends, however it does. Where a file system has no locks, nothing is
// removed; the name of the machine is in the name, as some network disks keep the locks of each machine for themselves.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace evident {

/// What a hidden name for `name` begins with. Letters and digits follow that make it new.
std::string hidden_name(std::string_view name);

class NameLock {
 public:
  NameLock() = default;
  /// Of a file or folder. Does not wait for others; where there are no locks it holds nothing, and is as good.
  static NameLock take(const std::filesystem::path& path);
  /// Of a file that is open here. It outlives the descriptor.
  static NameLock take(int descriptor);
  ~NameLock();
  NameLock(NameLock&& other) noexcept { *this = std::move(other); }
  NameLock& operator=(NameLock&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    std::swap(others_, other.others_);
    return *this;
  }

  /// Is what was just made still there, under this name, and not about to be removed by a run that came in the moment
  /// before the lock?
  bool still_has(const std::filesystem::path& path) const;

 private:
  int descriptor_ = -1;
  bool others_ = false;  ///< another process has the lock
};

/// Removes the files of killed runs from a folder, and the folders of theirs that `is_ours` says may go; it is asked
/// while nobody else can have them. Looks once into each folder.
void remove_left_behind(const std::filesystem::path& folder,
                        const std::function<bool(const std::filesystem::path&)>& is_ours) noexcept;
void remove_files_left_behind(const std::filesystem::path& folder) noexcept;

}  // namespace evident
