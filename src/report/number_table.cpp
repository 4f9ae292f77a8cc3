#include "report/number_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <memory>

#include "evident/base/error.hpp"
#include "evident/report/text.hpp"

namespace evident::report {
namespace {

constexpr std::uintmax_t kMostBytes = std::uintmax_t{1} << 30;

/// The names of the first line, quoted as RFC 4180 has it; a name may hold line breaks. Moves `place` behind it.
std::vector<std::string> parse_names(const std::string& text, std::size_t& place, const std::string& file) {
  std::vector<std::string> names(1);
  bool quoted = false;
  for (; place < text.size(); ++place) {
    const char c = text[place];
    if (quoted) {
      if (c != '"') {
        names.back() += c;
      } else if (place + 1 < text.size() && text[place + 1] == '"') {
        names.back() += '"';
        ++place;
      } else {
        quoted = false;
      }
    } else if (c == '"') {
      quoted = true;
    } else if (c == ',') {
      names.emplace_back();
    } else if (c == '\n') {
      ++place;
      return names;
    } else if (c != '\r') {
      names.back() += c;
    }
  }
  throw InputError(fmt::format("{}:1: the file ends within its first line", file));
}

double parse_number(std::string_view cell, const std::string& file, std::size_t line) {
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error == std::errc() && end == cell.data() + cell.size()) return value;
  throw InputError(fmt::format("{}:{}: '{}' is no number", file, line, printable(cell.substr(0, 40))));
}

}  // namespace

const std::vector<double>* NumberTable::find(std::string_view name) const {
  const auto found = std::ranges::find(names, name);
  return found == names.end() ? nullptr : &columns[static_cast<std::size_t>(found - names.begin())];
}

NumberTable parse_numbers(const std::string& text, const std::string& file) {
  NumberTable out;
  std::size_t place = 0;
  out.names = parse_names(text, place, file);
  out.columns.resize(out.names.size());
  auto line =
      static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(place), '\n'));
  while (place < text.size()) {
    ++line;
    const std::size_t end = text.find('\n', place);
    if (end == std::string::npos) throw InputError(fmt::format("{}:{}: the file ends within this line", file, line));
    std::string_view rest = std::string_view(text).substr(place, end - place);
    for (std::size_t j = 0; j < out.columns.size(); ++j) {
      const std::size_t comma = rest.find(',');
      if ((comma == std::string_view::npos) != (j + 1 == out.columns.size()))
        throw InputError(
            fmt::format("{}:{}: the line must have {} cells, as the first has", file, line, out.columns.size()));
      out.columns[j].push_back(parse_number(rest.substr(0, comma), file, line));
      if (comma != std::string_view::npos) rest.remove_prefix(comma + 1);
    }
    place = end + 1;
  }
  return out;
}

std::string read_file(const std::filesystem::path& file) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  if (error) throw InputError(fmt::format("{}: cannot be read: {}", file.string(), error.message()));
  if (size > kMostBytes) throw InputError(fmt::format("{}: {} bytes are too many for a result", file.string(), size));
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> in(std::fopen(file.c_str(), "rb"), std::fclose);
  std::string text(static_cast<std::size_t>(size), '\0');
  if (!in || std::fread(text.data(), 1, text.size(), in.get()) != text.size())
    throw InputError(fmt::format("{}: cannot be read", file.string()));
  return text;
}

}  // namespace evident::report
