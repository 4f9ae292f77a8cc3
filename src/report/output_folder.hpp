// A folder that appears whole or not at all.
//
// The files are written to a temporary folder beside the wanted one, which takes its place at the end. Without
// publish() the temporary folder is removed and the wanted one is never touched. A list of the files goes with them
// (report/manifest.hpp): with `force` a folder is replaced that holds nothing else, and no other.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "report/hidden_folder.hpp"
#include "report/manifest.hpp"

namespace evident::report {

class OutputFolder {
 public:
  /// Throws InputError when the folder exists and `force` is false, when it holds anything that this program did not
  /// write, or when it could not be written.
  OutputFolder(const std::filesystem::path& wanted, bool force);

  const std::filesystem::path& path() const { return made_->path(); }  ///< where to write
  const std::filesystem::path& wanted() const { return wanted_; }      ///< where it will be
  /// Puts the temporary folder in place, with its manifest. Throws RunError, and leaves what is there as it is, when
  /// something has come into it meanwhile.
  void publish(const RunFacts& facts = {});
  /// The same without a manifest: for files that are their user's from now on.
  void publish_unlisted();

 private:
  void put_new();
  void exchange();
  void require_ours(const std::filesystem::path& folder) const;

  std::filesystem::path wanted_;
  std::optional<HiddenFolder> made_;
  bool replace_ = false;
};

/// Throws InputError when there is anything in a folder that is not ours. `shown`: how messages call it.
void check_replaceable(const std::filesystem::path& folder, const std::string& shown);

}  // namespace evident::report
