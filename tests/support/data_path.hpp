// Where the optional reference data are: in the folder that EVIDENT_DATA names. Without it tests that need them are
// skipped.
//
//   const auto path = shared_data("gmm/observations.csv");
//   if (!path) GTEST_SKIP() << "no reference data; set EVIDENT_DATA to their folder";
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>

namespace evident::test {

/// The file or folder below the data folder, if it exists.
inline std::optional<std::filesystem::path> shared_data(std::string_view relative) {
  namespace fs = std::filesystem;
  const char* named = std::getenv("EVIDENT_DATA");
  if (named == nullptr || *named == '\0') return std::nullopt;
  const fs::path path = (fs::path(named) / relative).lexically_normal();
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return std::nullopt;
  return path;
}

}  // namespace evident::test
