#include "output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/option.hpp"
#include "base/printable.hpp"
#include "evident/base/error.hpp"
#include "report/text.hpp"

namespace evident::cli {

namespace {
bool silent = false;
}  // namespace

void be_silent() { silent = true; }

std::string flag(std::string_view key, std::string_view value) {
  if (key == "islands" && value == "0") return "--no-pilot or --islands 0";
  std::string out = "--" + std::string(key == "replace" ? "force" : key);
  std::ranges::replace(out, '_', '-');
  return value.empty() ? out : (out += ' ') += value;
}

std::string with_flags(std::string_view text) {
  const char* const marks = std::getenv("EVIDENT_OPTION_MARKS");  // NOLINT(concurrency-mt-unsafe): it is never set here
  return marks != nullptr && std::string_view(marks) == "1" ? std::string(text) : spelled(text, flag);
}

void tell(std::string_view marked) {
  if (silent) return;
  const std::string text = printable_lines(with_flags(marked));
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void print(std::string_view marked) {
  if (silent) return;
  const std::string text = printable_lines(with_flags(marked));
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (!written || std::fflush(stdout) != 0) {
    if (errno == EPIPE) throw OutputClosed("standard output was closed");
    throw RunError(fmt::format("standard output cannot be written: {}", std::strerror(errno)));
  }
}

void notice(std::string_view line) { tell(fmt::format("evident: {}\n", report::printable(line))); }

std::string done_again(std::size_t pieces) {
  return pieces == 1 ? "1 finished piece of work was damaged on the disk and is done again"
                     : fmt::format("{} finished pieces of work were damaged on the disk and are done again", pieces);
}

}  // namespace evident::cli
