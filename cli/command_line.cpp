#include "command_line.hpp"

#include <algorithm>

#include "shell.hpp"

namespace evident::cli {

std::string quoted(const std::string& word) {
  constexpr std::string_view plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=./,:@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  return single_quoted(word);
}

std::string command_line(const CLI::App& app, std::string start, std::initializer_list<std::string_view> without) {
  for (const CLI::Option* option : app.get_options()) {
    const std::string name = option->get_name();
    if (option->empty() || std::ranges::find(without, name) != without.end()) continue;
    const bool named = name.starts_with("-"), one_each = option->get_expected_max() <= 1;
    bool first = true;
    for (const std::string& value : option->results()) {
      if (named && (first || one_each)) start += " " + name;
      if (option->get_expected_max() > 0) start += " " + quoted(value);  // a flag has no value
      first = false;
    }
  }
  return start;
}

}  // namespace evident::cli
