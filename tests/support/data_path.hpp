// Where the optional reference data are: the folder named by EVIDENT_DATA, or ../shared/data beside the source folder.
//
//   const auto path = shared_data("gmm/observations.csv");
//   if (!path) GTEST_SKIP() << "no reference data; set EVIDENT_DATA to their folder";
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>

#include "support/source_folder.hpp"

namespace evident::test {

/// The file or folder below the data folder, if it exists.
inline std::optional<std::filesystem::path> shared_data(std::string_view relative) {
  namespace fs = std::filesystem;
  const char* named = std::getenv("EVIDENT_DATA");
  const fs::path folder =
      named != nullptr && *named != '\0' ? fs::path(named) : source_folder() / ".." / "shared" / "data";
  const fs::path path = (folder / relative).lexically_normal();
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return std::nullopt;
  return path;
}

}  // namespace evident::test
