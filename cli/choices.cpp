#include "choices.hpp"

#include <fmt/format.h>

namespace evident::cli {
namespace {

// CLI11 keeps nothing for others with an option but named validators. One that accepts everything, and has no
// description that --help would show, carries the words in its name.
constexpr const char* kMark = "offered:";
constexpr char kBetween = '\n';

}  // namespace

CLI::Option* offer(CLI::Option* option, const std::vector<std::string>& words) {
  CLI::Validator carrier([](std::string&) { return std::string(); }, "");
  carrier.name(fmt::format("{}{}", kMark, fmt::join(words, std::string(1, kBetween))));
  return option->check(carrier);
}

std::vector<std::string> offered(CLI::Option& option) {
  try {
    for (int i = 0;; ++i) {
      const std::string name = option.get_validator(i)->get_name();
      if (name.starts_with(kMark)) return CLI::detail::split(name.substr(std::string_view(kMark).size()), kBetween);
    }
  } catch (const CLI::OptionNotFound&) {
    return {};  // that was the last one
  }
}

}  // namespace evident::cli
