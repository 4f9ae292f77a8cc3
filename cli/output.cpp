#include "output.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "evident/base/error.hpp"
#include "evident/report/text.hpp"

namespace evident::cli {

namespace {
bool silent = false;
}  // namespace

void be_silent() { silent = true; }

void tell(std::string_view text) {
  if (silent) return;
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void print(std::string_view text) {
  if (silent) return;
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (!written || std::fflush(stdout) != 0) {
    throw RunError(fmt::format("standard output cannot be written: {}", std::strerror(errno)));
  }
}

void notice(std::string_view line) { tell(fmt::format("evident: {}\n", report::printable(line))); }

}  // namespace evident::cli
