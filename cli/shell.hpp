// Words for shells.
#pragma once

#include <string>

namespace evident::cli {

/// In single quotes, as sh, bash and zsh read them.
inline std::string single_quoted(const std::string& word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

}  // namespace evident::cli
