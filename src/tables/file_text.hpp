// Reading a whole file into memory, with messages that a user can act on.
#pragma once

#include <cstddef>
#include <string>

namespace evident {

/// Throws InputError for a missing file, a folder, a device, an unreadable or a too large file.
std::string file_text(const std::string& file, std::size_t max_bytes);

}  // namespace evident
