// Numbers on the command line, with messages that name the option, the value and the range.
#pragma once

#include <cstdint>
#include <string>

namespace evident::cli {

/// `key` is that of base/option.hpp. Throws InputError: "--particles must be a whole number between 2 and 100000000,
/// was 'abc'".
std::uint64_t whole_number(const std::string& key, const std::string& text, std::uint64_t lower, std::uint64_t upper);
/// A finite number; `open` leaves out the bounds themselves.
double real_number(const std::string& key, const std::string& text, double lower, double upper, bool open);

/// The bytes of "2G": a whole number with K, M, G, T (or KB, MB, ...) or nothing for bytes.
std::uint64_t bytes_of(const std::string& key, const std::string& text);

}  // namespace evident::cli
