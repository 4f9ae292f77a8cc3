// The files of a finished run, as its document has them.
//
//   OutputFolder folder("study.evident", force);   // finds out at once whether it can be written
//   Comparison c = compare(...);
//   write_files(Document(c, info), folder.path());
//   folder.publish();
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "evident/report/document.hpp"

namespace evident::report {

/// A file name for each model name: letters, digits, '.', '_' and '-' only, and no two alike on any file system.
std::vector<std::string> safe_file_names(const std::vector<std::string>& names);

/// As write_file(), but the file appears whole or not at all, and what was there before stays until then.
void replace_file(const std::filesystem::path& file, std::string_view text);

}  // namespace evident::report
