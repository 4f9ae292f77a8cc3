#include "command_line.hpp"

#include <algorithm>
#include <vector>

#include "shell.hpp"

namespace evident::cli {

std::string quoted(const std::string& word) {
  constexpr std::string_view plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=./,:@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  return single_quoted(word);
}

std::string command_line(const CLI::App& app, std::string start, std::initializer_list<std::string_view> without) {
  std::vector<const CLI::Option*> given = app.get_options([](const CLI::Option* o) { return !o->nonpositional(); });
  for (const CLI::Option* option : app.parse_order())  // has an option once for each of its values
    if (std::ranges::find(given, option) == given.end()) given.push_back(option);
  for (const CLI::Option* option : given) {
    const std::string name = option->get_name();
    if (std::ranges::find(without, name) != without.end()) continue;
    const bool named = option->nonpositional(), one_each = option->get_expected_max() <= 1;
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
