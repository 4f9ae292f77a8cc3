// A text that is written piece by piece, and whose file appears when it is whole.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "journal/output_file.hpp"

namespace evident::batch {

class TextFile {
 public:
  explicit TextFile(const std::filesystem::path& file) : file_(file) {}
  void put(std::string_view text) {
    buffer_ += text;
    if (buffer_.size() > (std::size_t{1} << 20U)) flush();
  }
  void commit() {
    flush();
    file_.commit();
  }

 private:
  void flush() {
    file_.write(std::as_bytes(std::span(buffer_)));
    buffer_.clear();
  }
  OutputFile file_;
  std::string buffer_;
};

}  // namespace evident::batch
