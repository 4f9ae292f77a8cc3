// Where the sources are. One file alone is compiled with the path, so that a compiler's cache serves every clone.
#pragma once

#include <filesystem>

namespace evident::test {

/// The folder of the project's sources.
std::filesystem::path source_folder();

}  // namespace evident::test
