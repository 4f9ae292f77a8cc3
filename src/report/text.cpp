#include "report/text.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cctype>
#include <cmath>
#include <cstdlib>

namespace evident::report {
namespace {

// Good enough for names: combining marks take no column, East Asian and emoji characters two.
std::size_t columns(char32_t c) {
  const bool none = (c >= 0x300 && c <= 0x36F) || (c >= 0x200B && c <= 0x200F) || (c >= 0xFE00 && c <= 0xFE0F);
  const bool wide = (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) || (c >= 0xAC00 && c <= 0xD7A3) ||
                    (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) ||
                    (c >= 0x1F300 && c <= 0x1FAFF) || (c >= 0x20000 && c <= 0x3FFFD);
  return none ? 0 : wide ? 2 : 1;
}

bool environment_is_utf8() {
  for (const char* variable : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(variable);
    if (!value || !*value) continue;
    std::string lower;
    for (const char* p = value; *p; ++p) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(*p)));
    return lower.find("utf-8") != std::string::npos || lower.find("utf8") != std::string::npos;
  }
  return false;
}

}  // namespace

TextStyle detect_style(int descriptor) {
  TextStyle style;
  style.terminal = ::isatty(descriptor) == 1;
  style.unicode = environment_is_utf8();
  if (!style.terminal) return style;
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    style.width = size.ws_col;
    if (size.ws_row > 0) style.height = size.ws_row;
  }
  const char* term = std::getenv("TERM");
  const char* no_color = std::getenv("NO_COLOR");
  const bool dumb = !term || std::string_view(term) == "dumb";
  style.cursor = !dumb;
  style.colour = !dumb && !(no_color && *no_color);
  return style;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const CodePoint c = first_code_point(text);
    width += columns(c.value);
    text.remove_prefix(c.bytes);
  }
  return width;
}

std::string fitted(std::string_view text, std::size_t width) {
  const std::size_t whole = display_width(text);
  if (whole <= width) return std::string(text) + std::string(width - whole, ' ');
  const std::size_t dots = width < 2 ? width : 2;
  std::string out;
  std::size_t used = 0;
  while (!text.empty()) {
    const CodePoint c = first_code_point(text);
    if (used + columns(c.value) > width - dots) break;
    out += text.substr(0, c.bytes);
    used += columns(c.value);
    text.remove_prefix(c.bytes);
  }
  return out + std::string(dots, '.') + std::string(width - dots - used, ' ');
}

std::string duration(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0) return "?";
  if (seconds < 9.95) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<unsigned long long>(std::lround(std::min(seconds, 3.6e12)));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

}  // namespace evident::report
