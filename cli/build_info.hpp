// How this program was built; CMake writes the source from build_info.cpp.in.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

namespace evident::cli {

struct BuildInfo {
  std::string_view compiler;                                             ///< "GNU 12.2.0"
  std::string_view type;                                                 ///< "Release"
  std::string_view system;                                               ///< "Linux x86_64"
  std::vector<std::pair<std::string_view, std::string_view>> libraries;  ///< name and version
};

const BuildInfo& build_info();

/// Of the sources, "1e68d1c9b3a2"; with ", changed" where files differ from it; empty when nothing tells it
/// (cmake/commit.cmake).
std::string_view commit();

}  // namespace evident::cli
