// The bytes of a file, one after the other; decompressed when the file begins like one of gzip's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace evident::imaging {

class ByteSource {
 public:
  /// Throws InputError when the file is not there, is no regular file or cannot be read.
  explicit ByteSource(const std::filesystem::path& file);
  ~ByteSource();
  ByteSource(ByteSource&&) noexcept;
  ByteSource& operator=(ByteSource&&) noexcept;

  const std::string& name() const;
  bool compressed() const;
  std::uint64_t file_size() const;  ///< of the file itself
  std::uint64_t delivered() const;  ///< bytes given out so far, decompressed
  /// No more than this can come out of the file: gzip shrinks by a factor of 1032 at most.
  std::uint64_t most() const;

  /// Fills `out`; returns less than its size only at the end of the data, or where they are damaged.
  std::size_t read(std::span<std::byte> out);
  /// Why the data ended where they did, for messages; empty for a sound end.
  const std::string& problem() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace evident::imaging
