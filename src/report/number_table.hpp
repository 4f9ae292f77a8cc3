// A CSV file of numbers as this program writes them: a line of names, then numbers.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace evident::report {

struct NumberTable {
  std::vector<std::string> names = {};
  std::vector<std::vector<double>> columns = {};  ///< all of the same length

  std::size_t rows() const { return columns.empty() ? 0 : columns.front().size(); }
  /// Null when there is none of that name.
  const std::vector<double>* find(std::string_view name) const;
};

/// Throws InputError "FILE:LINE: ..." for anything but names and as many numbers in each line.
NumberTable parse_numbers(const std::string& text, const std::string& file);

/// The bytes of a file; throws InputError when it cannot be read or is larger than any result.
std::string read_file(const std::filesystem::path& file);

}  // namespace evident::report
