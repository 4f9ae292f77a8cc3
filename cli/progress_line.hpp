// A line of progress on standard error: redrawn on a terminal, written anew every few seconds elsewhere.
//
//   ProgressLine line;
//   line.show([&] { return fmt::format("{} of {}", done, total); }, done == total);
#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace evident::cli {

class ProgressLine {
 public:
  ProgressLine();
  /// Called under a lock of its caller. The text is asked for when it is time for it; at the end it always is.
  void show(const std::function<std::string()>& text, bool end);
  /// Ends the line.
  void close();

 private:
  bool terminal_, open_ = false;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace evident::cli
