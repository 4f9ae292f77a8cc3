// Files and folders that are not yet whole. A program that has to end at once, with its threads still at work, takes
// them away first:
//
//   Temporaries::Lock lock = Temporaries::lock();
//   make(name);
//   Temporaries::add(name, lock);      // and forget() when it is renamed or removed, with the lock again
//   ...
//   Temporaries::remove_all();         // in whatever thread; the next line has to end the program
#pragma once

#include <filesystem>
#include <mutex>

namespace evident {

class Temporaries {
 public:
  /// Held while one is made, renamed or removed, so that none is in between when all are removed.
  using Lock = std::unique_lock<std::mutex>;
  static Lock lock();
  static void add(const std::filesystem::path& path, const Lock& held);
  static void forget(const std::filesystem::path& path, const Lock& held);
  /// Nobody gets the lock any more: no other is made, and none gets its place.
  static void remove_all() noexcept;
};

}  // namespace evident
