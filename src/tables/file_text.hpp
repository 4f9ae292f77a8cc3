// Reading a whole file into memory, with messages that a user can act on.
#pragma once

#include <cstdint>
#include <string>

namespace evident {

/// What a text file holds. Throws PlacedError for what is no regular file, unreadable or larger than `most` bytes, and
/// at the first zero byte, which no text has: the rest is not read.
std::string file_text(const std::string& file, std::uint64_t most);
/// The same of any bytes.
std::string file_bytes(const std::string& file, std::uint64_t most);

}  // namespace evident
