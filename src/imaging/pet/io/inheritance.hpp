// The JSON files that apply to a file of a BIDS data set.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace evident::imaging {

/// Nearest first: same name, or fewer entities in the same folder or in one above, up to the root of the data set. A
/// file without a BIDS name has its own name with .json only.
std::vector<std::string> applicable_json(const std::filesystem::path& file);

}  // namespace evident::imaging
