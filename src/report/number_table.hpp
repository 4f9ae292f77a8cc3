// A CSV file of numbers as this program writes them: a line of names, then numbers.
#pragma once

#include <filesystem>
#include <string>

#include "evident/report/document.hpp"

namespace evident::report {

/// Throws InputError "FILE:LINE: ..." for anything but names and as many numbers in each line.
NumberTable parse_numbers(const std::string& text, const std::string& file);
/// The other way round.
std::string numbers_csv(const NumberTable& table);

NumberTable trace_table(const Trace& trace);
/// Weights first, then the two log densities, if there are any, and the quantities.
NumberTable draws_table(const Draws& draws);
/// The other way round. Without log densities columns of their names are quantities.
Draws draws_of(const NumberTable& table, bool may_have_densities = true);

/// The bytes of a file; throws InputError when it cannot be read or is larger than any result.
std::string read_file(const std::filesystem::path& file);

}  // namespace evident::report
