// A new folder under a hidden name, in which files are made before they get their places.
//
//   HiddenFolder work(results.parent_path(), "out", "output folder results/out");
//   write_file(work.path() / "result.json", text);
//
// It goes with all that is in it, however the program ends: at the end of the object, when the program has to end at
// once (journal/temporaries.hpp), and when it was killed at the next run in the same place (journal/left_behind.hpp).
#pragma once

#include <filesystem>
#include <string>

#include "journal/left_behind.hpp"
#include "journal/temporaries.hpp"

namespace evident::report {

class HiddenFolder {
 public:
  /// Throws InputError, which begins with `whose`.
  HiddenFolder(const std::filesystem::path& parent, const std::string& name, const std::string& whose);
  ~HiddenFolder();
  HiddenFolder(const HiddenFolder&) = delete;
  HiddenFolder& operator=(const HiddenFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// It has got its place, and stays.
  void keep(const Temporaries::Lock& held);

 private:
  std::filesystem::path path_;
  NameLock lock_;
};

}  // namespace evident::report
