#include "base/option.hpp"

#include <algorithm>

#include "evident/base/error.hpp"

namespace evident {
namespace {

constexpr std::string_view kBegin = "\xEF\xB7\x90", kValue = "\xEF\xB7\x91", kEnd = "\xEF\xB7\x92";  // U+FDD0 to U+FDD2

std::string without_marks(std::string_view text) {
  std::string out(text);
  for (const std::string_view mark : {kBegin, kValue, kEnd})
    for (std::size_t at = 0; (at = out.find(mark, at)) != std::string::npos;) out.erase(at, mark.size());
  return out;
}

bool is_key(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
}

}  // namespace

std::string option(std::string_view key, std::string_view value) {
  std::string out(kBegin);
  out += key;
  if (!value.empty()) (out += kValue) += without_marks(value);
  return out += kEnd;
}

std::string plain_option(std::string_view key, std::string_view value) {
  std::string out = "option " + std::string(key);
  return value.empty() ? out : (out += '=') += value;
}

std::string spelled(std::string_view text, const OptionSpelling& spelling) {
  std::string out;
  for (std::size_t begin = 0; (begin = text.find(kBegin)) != std::string_view::npos;) {
    out += text.substr(0, begin);
    text.remove_prefix(begin + kBegin.size());
    const std::size_t end = text.find(kEnd);
    const std::string_view inside = text.substr(0, end), key = inside.substr(0, inside.find(kValue));
    if (end == std::string_view::npos || !is_key(key)) continue;  // a message that was cut, or no mark of ours
    out += spelling(key, inside.substr(std::min(inside.size(), key.size() + kValue.size())));
    text.remove_prefix(end + kEnd.size());
  }
  return out += text;
}

Error::Error(const std::string& message) : std::runtime_error(spelled(message)), marked_(message) {}

std::vector<std::string> Error::options() const {
  std::vector<std::string> out;
  spelled(message(), [&](std::string_view key, std::string_view) { return out.emplace_back(key); });
  return out;
}

}  // namespace evident
