// The bytes of a new file, one after the other, compressed by gzip when asked; the file appears when it is whole.
//
// Equal contents give equal bytes: the compressed form holds no time and no name.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

namespace evident::imaging {

class ByteSink {
 public:
  /// Throws InputError when no file can be made there.
  ByteSink(const std::filesystem::path& file, bool compressed);
  /// Removes what was written, unless committed.
  ~ByteSink();
  ByteSink(ByteSink&&) noexcept;
  ByteSink& operator=(ByteSink&&) noexcept;

  /// Throws RunError, and removes what was written, when the disk does not take it.
  void write(std::span<const std::byte> bytes);
  void commit();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace evident::imaging
