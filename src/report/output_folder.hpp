// A folder that appears whole or not at all.
//
// The files are written to a temporary folder beside the wanted one, which takes its place at the end. Without
// publish() the temporary folder is removed and the wanted one is never touched.
#pragma once

#include <filesystem>
#include <string>

namespace evident::report {

class OutputFolder {
 public:
  /// Throws InputError when the folder exists and `force` is false, or when it could not be written. With `force`, only
  /// an empty folder or one that holds a file called `mark`, as every earlier output does, is replaced.
  OutputFolder(const std::filesystem::path& wanted, bool force, const std::string& mark = "result.json");
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  const std::filesystem::path& path() const { return temporary_; }  ///< where to write
  const std::filesystem::path& wanted() const { return wanted_; }   ///< where it will be
  /// Puts the temporary folder in place; throws RunError.
  void publish();
  /// Removes the temporary folder; harmless when it is gone.
  void discard() noexcept;

 private:
  void take_place();

  std::filesystem::path wanted_, temporary_;
  bool replace_ = false;
};

}  // namespace evident::report
