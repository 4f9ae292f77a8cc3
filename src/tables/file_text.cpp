#include "tables/file_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "tables/input_file.hpp"
#include "tables/placed_error.hpp"

namespace evident {
namespace {

template <class Check>
std::string contents(const std::string& file, std::uint64_t most, Check check) {
  InputFile in(file, most);
  std::string out;
  std::array<char, std::size_t{1} << 16U> buffer{};
  while (const std::size_t n = in.read(std::as_writable_bytes(std::span(buffer)))) {
    // It may grow while it is read, and files of the system tell no size.
    if (n > most - out.size()) in.refuse_size(most);
    const std::string_view part(buffer.data(), n);
    check(part, out.size());
    if (out.empty()) out.reserve(std::max<std::size_t>(in.size(), n));
    out.append(part);
  }
  return out;
}

}  // namespace

std::string file_text(const std::string& file, std::uint64_t most) {
  return contents(file, most, [&](std::string_view part, std::size_t before) {
    if (const auto zero = part.find('\0'); zero != std::string_view::npos)
      throw PlacedError(fmt::format("{}: is not a text file (byte {} is zero)", file, before + zero + 1));
  });
}

std::string file_bytes(const std::string& file, std::uint64_t most) {
  return contents(file, most, [](std::string_view, std::size_t) {});
}

}  // namespace evident
