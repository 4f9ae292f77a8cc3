// The one place where files of users are opened: studies, tables, images, sidecars, results. Journals, which are
// written too, have their own (journal/journal.hpp).
//
//   InputFile in("data.csv", kMostBytes);   // data.csv: is a pipe, not a regular file
//   while (const std::size_t n = in.read(buffer)) ...
//
// Only regular files are read: a pipe could keep the program waiting, and a device has no end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <span>
#include <string>

namespace evident {

/// There is nothing of that name. A path that cannot be followed, a loop of links say, is not missing: opening it tells
/// why.
bool is_missing(const std::filesystem::path& path);

class InputFile {
 public:
  static constexpr std::uint64_t kAnySize = std::numeric_limits<std::uint64_t>::max();

  /// Throws PlacedError for what is missing, no regular file or unreadable, and TooLarge for more than `most` bytes;
  /// nothing is read before.
  explicit InputFile(std::string name, std::uint64_t most = kAnySize);
  ~InputFile();
  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&& other) noexcept;

  const std::string& name() const { return name_; }
  /// When it was opened.
  std::uint64_t size() const { return size_; }
  /// The next bytes, at most as many as `to` takes; fewer at the end alone. Throws PlacedError.
  std::size_t read(std::span<std::byte> to);
  /// To the first byte again.
  void rewind();
  /// Throws TooLarge.
  [[noreturn]] void refuse_size(std::uint64_t most) const;

 private:
  std::string name_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace evident
