// Completion for fish.
#include <fmt/format.h>

#include "reference/page.hpp"
#include "reference/walk.hpp"

namespace evident::cli::reference {
namespace {

/// A word in single quotes as fish reads them.
std::string fish_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

/// The options of `complete` that offer the values of an option or argument.
std::string offer_options(const Entry& entry) {
  switch (entry.takes) {
    case Takes::file:
      return entry.ending.empty() ? "-r -F" : fmt::format("-x -a '(__fish_complete_suffix {})'", entry.ending);
    case Takes::folder:
      return "-x -a '(__fish_complete_directories)'";
    case Takes::words:
      return fmt::format("-x -a {}", fish_quoted(fmt::format("{}", fmt::join(entry.words, " "))));
    case Takes::anything:
      return "-x";
    case Takes::nothing:
      break;
  }
  return {};
}

std::string argument_options(const Entry& argument) {
  if (argument.takes == Takes::file && argument.ending.empty()) return "-F";
  return argument.takes == Takes::anything ? "" : offer_options(argument).substr(std::string_view("-x ").size());
}

std::string lines(const Page& page) {
  const std::string begin = fmt::format("complete -c evident -n {}", fish_quoted("__evident_at '" + place(page) + "'"));
  std::string out;
  for (const Page& part : page.parts)
    out += fmt::format("{} -a {} -d {}\n", begin, part.path.back(), fish_quoted(part.description));
  for (const Entry& option : page.options) {
    out += begin;
    for (const std::string& name : option.names)
      out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    const std::string offer = offer_options(option);
    out += fmt::format("{}{} -d {}\n", offer.empty() ? "" : " ", offer, fish_quoted(option.description));
  }
  for (const Entry& argument : page.arguments)
    if (const std::string offer = argument_options(argument); !offer.empty())
      out += fmt::format("{} {}\n", begin, offer);
  return out;
}

}  // namespace

std::string fish_completion(const Page& program) {
  std::string places, all;
  each_page(program, [&](const Page& page) {
    if (page.path.size() > 1) places += " " + fish_quoted(place(page));
    all += lines(page);
  });
  return fmt::format(
      "# Completion of evident for fish, printed by 'evident reference --format fish'.\n\n"
      "# Which command do the words before the cursor name?\n"
      "function __evident_at --argument-names wanted\n"
      "    set -l place ''\n"
      "    for word in (commandline -opc)\n"
      "        switch \"$place $word\"\n"
      "            case{}\n"
      "                set place \"$place $word\"\n"
      "        end\n"
      "    end\n"
      "    test \"$place\" = \"$wanted\"\n"
      "end\n\n"
      "complete -c evident -f\n{}",
      places, all);
}

}  // namespace evident::cli::reference
