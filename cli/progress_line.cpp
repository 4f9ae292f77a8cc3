#include "progress_line.hpp"

#include <unistd.h>

#include "output.hpp"
#include "report/text.hpp"

namespace evident::cli {

ProgressLine::ProgressLine() : terminal_(report::detect_style(STDERR_FILENO).cursor) {}

void ProgressLine::show(const std::function<std::string()>& text, bool end) {
  const auto now = std::chrono::steady_clock::now();
  const auto wait = terminal_ ? std::chrono::milliseconds(200) : std::chrono::seconds(10);
  if (open_ && now - last_ < wait && !end) return;
  last_ = now;
  open_ = true;
  const std::string line = text();
  if (terminal_) {
    const std::size_t width = report::detect_style(STDERR_FILENO).width;
    tell("\r" + report::fitted(line, width > 1 ? width - 1 : 1));
  } else {
    tell(line + "\n");
  }
}

void ProgressLine::close() {
  if (terminal_ && open_) tell("\n");
  open_ = false;
}

}  // namespace evident::cli
