#include "journal/temporaries.hpp"

#include <exception>
#include <set>
#include <system_error>

namespace evident {
namespace {

namespace fs = std::filesystem;

struct Known {
  std::mutex mutex;
  std::set<fs::path> paths;
};

// Never destroyed: threads may be at work when the program ends.
Known& known() {
  static auto* const all = new Known;
  return *all;
}

/// A thread may be putting a further file into a folder.
void remove_whole(const fs::path& path) {
  constexpr int kTries = 20;
  std::error_code failed;
  for (int k = 0; k < kTries; ++k) {
    fs::remove_all(path, failed);
    if (!failed) return;
  }
}

}  // namespace

Temporaries::Lock Temporaries::lock() { return Lock(known().mutex); }

void Temporaries::add(const fs::path& path, const Lock& /*held*/) { known().paths.insert(path); }

void Temporaries::forget(const fs::path& path, const Lock& /*held*/) { known().paths.erase(path); }

void Temporaries::remove_all() noexcept {
  try {
    Lock held = lock();
    for (const fs::path& path : known().paths) remove_whole(path);
    held.release();                  // and never unlocked
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): the program ends, and this was the last thing
  }
}

}  // namespace evident
