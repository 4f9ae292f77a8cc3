#include "report/hidden_folder.hpp"

#include <fmt/format.h>
#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "evident/base/error.hpp"
#include "report/manifest.hpp"

namespace evident::report {
namespace fs = std::filesystem;
namespace {

/// A folder under such a name has what a run wrote before it was killed. For a moment of a replacement it is the
/// earlier results, and then it has their list: what somebody has put beside them is nobody's to remove.
bool may_go(const fs::path& folder) {
  try {
    return !fs::exists(fs::symlink_status(folder / Manifest::kName)) || not_ours(folder).empty();
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace

HiddenFolder::HiddenFolder(const fs::path& parent, const std::string& name, const std::string& whose) {
  remove_left_behind(parent, may_go);
  const Temporaries::Lock lock = Temporaries::lock();
  do {  // until it is ours: another run may take it for left behind in the moment before it is locked
    std::string made = (parent / (hidden_name(name) + "XXXXXX")).string();
    if (::mkdtemp(made.data()) == nullptr)
      throw InputError(fmt::format("{}: cannot be written: {}", whose, std::strerror(errno)));
    path_ = made;
    lock_ = NameLock::take(path_);
  } while (!lock_.still_has(path_));
  Temporaries::add(path_, lock);
}

HiddenFolder::~HiddenFolder() {
  if (path_.empty()) return;
  const Temporaries::Lock lock = Temporaries::lock();
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  Temporaries::forget(path_, lock);
}

void HiddenFolder::keep(const Temporaries::Lock& held) {
  Temporaries::forget(path_, held);
  path_.clear();
  lock_ = NameLock();
}

}  // namespace evident::report
