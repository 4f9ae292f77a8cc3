// Files that take their places in a folder that holds files of others too: the maps of a scan, the tables of a batch.
//
//   const OutputFiles files(folder, "manifest.json");
//   files.check(names);                            // before the run: throws InputError when one is in the way
//   const Staging work(folder);
//   write_file(work.path() / names[0], text);      // each of the names
//   files.publish(work.path(), names);             // looks again, then all get their places
//
// Only what the manifest lists is replaced (report/manifest.hpp). It lists the new files before they come and the old
// ones until they are gone, so that a run that is killed meanwhile leaves nothing that is taken for a user's.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/hidden_folder.hpp"
#include "report/manifest.hpp"

namespace evident::report {

class OutputFiles {
 public:
  using Names = std::vector<std::string>;
  explicit OutputFiles(std::filesystem::path folder, std::string manifest = Manifest::kName)
      : folder_(std::move(folder)), manifest_(std::move(manifest)) {}

  std::optional<Manifest> manifest() const { return Manifest::read(folder_ / manifest_); }
  /// The first of the names that is there already; empty when none is.
  std::filesystem::path first_there(const Names& names) const;
  /// Throws InputError when one of them is there and is not ours.
  void check(const Names& names) const;
  /// Moves the files from `work`, and removes what the manifest lists beyond them. Throws RunError.
  void publish(const std::filesystem::path& work, const Names& names, const RunFacts& facts = {}) const;
  /// One file, new or in place of an earlier one; the manifest keeps what else it lists. Throws RunError.
  void publish_text(const std::string& name, std::string_view text) const;

 private:
  std::string in_the_way(const Names& names) const;
  void put(const std::filesystem::path& from, const std::string& name, const std::optional<Manifest>& known) const;

  std::filesystem::path folder_;
  std::string manifest_;
};

/// Where the files of a folder are made before they get their places in it.
class Staging {
 public:
  /// Throws InputError.
  explicit Staging(const std::filesystem::path& folder) : made_(folder, "new", "output folder " + folder.string()) {}

  const std::filesystem::path& path() const { return made_.path(); }

 private:
  HiddenFolder made_;
};

}  // namespace evident::report
