// A file that appears under its name when it is whole, and never before; compressed by gzip when asked.
//
// It is written under a hidden name beside the wanted one, forced to the disk, and renamed. Equal contents give equal
// bytes: the compressed form holds no time and no name.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace evident {

/// Opens a new file for reading and writing under a hidden name beside `file`, and says which; -1, with errno, when it
/// cannot. Its rights are those of any new file of the user.
int open_beside(const std::filesystem::path& file, std::string& temporary);

class OutputFile {
 public:
  /// Throws InputError when no file can be made there.
  OutputFile(const std::filesystem::path& file, bool compressed);
  /// Removes what was written, unless committed.
  ~OutputFile();
  OutputFile(OutputFile&&) noexcept;
  OutputFile& operator=(OutputFile&&) noexcept;

  /// Throws RunError, and removes what was written, when the disk does not take it.
  void write(std::span<const std::byte> bytes);
  void commit();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace evident
