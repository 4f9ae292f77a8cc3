#include "base/printable.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace evident {
namespace {

/// Marks, embeddings, overrides and isolates: they change the order in which the text around them is shown.
bool turns_direction(char32_t c) {
  return c == 0x061C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

bool is_control(char32_t c) { return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x2028 || c == 0x2029; }

bool is_plain(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7F; });
}

/// How long a sequence is that this program writes itself: "\x1b[1m", "\x1b[2A", "\x1b[J"; 0 for anything else.
std::size_t own_sequence(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  const std::size_t end = text.find_first_not_of("0123456789;", 2);
  return end != std::string_view::npos && std::string_view("mAJ").find(text[end]) != std::string_view::npos ? end + 1
                                                                                                            : 0;
}

template <class Keep>
std::string shown(std::string_view text, Keep keep) {
  if (is_plain(text)) return std::string(text);
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const CodePoint c = first_code_point(text);
    const std::size_t kept = keep(text);
    const std::size_t bytes = kept > 0 ? kept : c.bytes;
    if (kept == 0 && !c.valid) {
      out += '?';
    } else if (kept == 0 && (is_control(c.value) || turns_direction(c.value))) {
      out += ' ';
    } else {
      out += text.substr(0, bytes);
    }
    text.remove_prefix(bytes);
  }
  return out;
}

}  // namespace

CodePoint first_code_point(std::string_view s) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(s[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1, true};
  const std::size_t bytes = first >= 0xF0 && first < 0xF5   ? 4
                            : first >= 0xE0 && first < 0xF0 ? 3
                            : first >= 0xC2 && first < 0xE0 ? 2
                                                            : 0;
  if (bytes == 0 || s.size() < bytes) return {U'?', 1, false};
  char32_t value = first & (0xFFu >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {U'?', 1, false};
    value = value << 6 | (byte(i) & 0x3Fu);
  }
  return {value, bytes, true};
}

std::string printable(std::string_view text) {
  return shown(text, [](std::string_view) { return std::size_t{0}; });
}

std::string printable_lines(std::string_view text) {
  return shown(text, [](std::string_view rest) -> std::size_t {
    const char c = rest.front();
    return c == '\n' || c == '\t' || c == '\r' ? 1 : own_sequence(rest);
  });
}

std::string abridged(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  const auto within = [&](std::size_t at) {
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
  };
  std::size_t begin = most / 2, end = text.size() - most / 2;
  while (begin > 0 && within(begin)) --begin;
  while (within(end)) ++end;
  return std::string(text.substr(0, begin)) + "..." + std::string(text.substr(end));
}

std::string escaped_json(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  while (!json.empty()) {
    const CodePoint c = first_code_point(json);
    const bool harmless = c.value < 0x7F || !(is_control(c.value) || turns_direction(c.value));
    out += harmless ? std::string(json.substr(0, c.bytes)) : fmt::format("\\u{:04x}", static_cast<unsigned>(c.value));
    json.remove_prefix(c.bytes);
  }
  return out;
}

}  // namespace evident
