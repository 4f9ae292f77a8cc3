// Which files of a folder this program wrote: their paths, sizes and sums, in a file of the folder itself.
//
//   Manifest written;
//   written.add_all(folder);
//   written.write(folder / Manifest::kName);
//   ...
//   const auto manifest = Manifest::read(folder / Manifest::kName);      // nothing when there is none
//   if (const std::string why = not_ours(folder); !why.empty()) ...      // "'thesis.tex' is not among the files that
//   ..."
//
// With `force` these files are replaced and removed, and no others: one that was changed since is its user's. Sums
// protect against accidents; who can write to the folder can write a manifest, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace evident::report {

/// What else is known of the run that wrote the files.
struct RunFacts {
  std::uint64_t run = 0;              ///< sum over all that its results depend on; 0: not known
  std::size_t pieces_done_again = 0;  ///< of a journal that was damaged
};

class Manifest {
 public:
  static constexpr const char* kName = "manifest.json";

  Manifest() = default;
  explicit Manifest(const RunFacts& facts) : facts_(facts) {}
  /// Nothing when there is no such file, or one that this program did not write.
  static std::optional<Manifest> read(const std::filesystem::path& file);

  /// Throws RunError when a file cannot be read.
  void add(const std::filesystem::path& folder, const std::string& path);
  /// All files below the folder.
  void add_all(const std::filesystem::path& folder);
  /// Those of another as well. A path may then have several sums: one before it is replaced, one after.
  void add(const Manifest& other);
  void forget(const std::string& path) { files_.erase(path); }
  /// Throws RunError.
  void write(const std::filesystem::path& file) const;

  const RunFacts& facts() const { return facts_; }
  std::vector<std::string> paths() const;
  bool lists(const std::string& path) const { return files_.contains(path); }
  /// Is the file in the folder as it was written?
  bool matches(const std::filesystem::path& folder, const std::string& path) const;

 private:
  using State = std::pair<std::uintmax_t, std::uint64_t>;  ///< size and sum
  static State state_of(const std::filesystem::path& file);
  std::uint64_t own_sum() const;

  RunFacts facts_;
  std::map<std::string, std::set<State>> files_;
};

/// Why the folder is not wholly of this program's making, with the name of a file; empty when it is, or is empty.
std::string not_ours(const std::filesystem::path& folder);
/// The same for one path of a folder that has files of others too; a path where nothing is is no obstacle.
std::string not_ours(const std::filesystem::path& folder, const std::optional<Manifest>& manifest,
                     const std::string& path);

/// Removes what the manifest lists, as far as it is unchanged, the manifest, and folders that are empty then. Whatever
/// else is there stays.
void remove_ours(const std::filesystem::path& folder) noexcept;

}  // namespace evident::report
