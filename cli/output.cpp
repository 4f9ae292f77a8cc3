#include "output.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "evident/base/error.hpp"

namespace evident::cli {

void print(std::string_view text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (!written || std::fflush(stdout) != 0) {
    throw RunError(fmt::format("standard output cannot be written: {}", std::strerror(errno)));
  }
}

}  // namespace evident::cli
