// A file that appears under its name when it is whole, and never before.
//
// It is written under a hidden name beside the wanted one, forced to the disk, and renamed.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "journal/left_behind.hpp"

namespace evident {

/// Opens a new file for reading and writing under a hidden name beside `file`, and says which; -1, with errno, when it
/// cannot. Its rights are those of any new file of the user. The lock is for as long as it has that name.
int open_beside(const std::filesystem::path& file, std::string& temporary, NameLock& lock);

class OutputFile {
 public:
  /// Throws InputError when no file can be made there.
  explicit OutputFile(const std::filesystem::path& file);
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
