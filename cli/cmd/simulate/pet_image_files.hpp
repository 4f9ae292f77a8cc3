// A phantom as a BIDS data set: the scan and its blood as a scanner's site would share them, and beside them the truth.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "imaging/phantom/phantom.hpp"

namespace evident::cli {

/// What the text files tell about how the phantom was made.
struct PhantomStory {
  std::string command;
  std::uint64_t seed = 0;
  std::string noise, input;
};

/// Writes everything into an empty folder; returns the names of the files.
std::vector<std::string> write_phantom(const imaging::Phantom& phantom, const PhantomStory& story,
                                       const std::filesystem::path& folder);

}  // namespace evident::cli
