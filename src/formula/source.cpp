#include "evident/formula/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/printable.hpp"

namespace evident::formula {
namespace {

constexpr std::size_t kWidest = 100;  ///< characters of a formula that a message shows

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0u) == 0x80u; }  // within a character of UTF-8

std::size_t width(std::string_view s) {
  return static_cast<std::size_t>(std::ranges::count_if(s, [](char c) { return !continues(c); }));
}

std::size_t begin_of_line(std::string_view text, std::size_t at) {
  const std::size_t before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  return before == std::string_view::npos ? 0 : before + 1;
}

}  // namespace

std::string Source::where(std::size_t at) const {
  const std::string_view all = text;
  const std::size_t begin = begin_of_line(all, at);
  const auto breaks = static_cast<std::size_t>(std::count(all.begin(), all.begin() + static_cast<long>(begin), '\n'));
  const std::size_t place = width(all.substr(begin, at - begin));
  return fmt::format("{}:{}:{}", printable(file), line + breaks, place + (breaks == 0 ? column : std::size_t{1}));
}

void Source::fail(std::size_t at, const std::string& what) const {
  const std::string_view all = text;
  at = std::min(at, all.size());
  const std::size_t begin = begin_of_line(all, at), end = std::min(all.find('\n', at), all.size());
  std::size_t from = begin;
  if (at - begin > kWidest / 2) from = at - kWidest / 2;
  while (from > begin && from < all.size() && continues(all[from])) --from;
  std::size_t until = std::min(end, from + kWidest);
  while (until < end && continues(all[until])) ++until;
  throw FormulaError(fmt::format("{}: {}\n  {}\n  {}^", where(at), printable(what),
                                 printable(all.substr(from, until - from)),
                                 std::string(width(all.substr(from, at - from)), ' ')));
}

}  // namespace evident::formula
