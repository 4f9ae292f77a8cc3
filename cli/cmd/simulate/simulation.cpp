#include "cmd/simulate/simulation.hpp"

#include <fmt/format.h>

#include <limits>

#include "arguments.hpp"
#include "report/files.hpp"

namespace evident::cli {

std::vector<std::string> StudySimulation::write(const std::filesystem::path& folder) const {
  std::vector<std::string> names;
  for (const auto& [name, text] : files_) {
    report::write_file(folder / name, text);
    names.push_back(name);
  }
  return names;
}

std::string columns_csv(const std::vector<std::string>& names, const std::vector<std::vector<double>>& columns) {
  std::string out = fmt::format("{}\n", fmt::join(names, ","));
  for (std::size_t i = 0; i < columns.front().size(); ++i) {
    for (std::size_t j = 0; j < columns.size(); ++j) out += fmt::format("{}{}", j ? "," : "", columns[j][i]);
    out += '\n';
  }
  return out;
}

std::vector<double> number_list(const std::string& key, const std::string& text) {
  std::vector<double> out;
  constexpr double largest = std::numeric_limits<double>::max();
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    out.push_back(real_number(key, text.substr(begin, end - begin), -largest, largest, false));
    begin = end + 1;
  }
  return out;
}

}  // namespace evident::cli
