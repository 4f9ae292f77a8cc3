// Completion for bash; it needs no other script.
#include <fmt/format.h>

#include "reference/page.hpp"
#include "reference/walk.hpp"
#include "shell.hpp"

namespace evident::cli::reference {
namespace {

constexpr const char* kBegin = R"(# Completion of evident for bash, printed by 'evident reference --format bash'.

_evident_add() { # COMPGEN OPTIONS...: what fits the word at the cursor
  local found
  mapfile -t found < <(compgen "$@" -- "$_evident_word")
  COMPREPLY+=("${found[@]}")
}

_evident_add_files() { # PATTERN of the names that do not fit
  compopt -o filenames 2>/dev/null
  _evident_add -d
  local folders=("${COMPREPLY[@]}") name
  COMPREPLY=()
  _evident_add -f -X "$1"
  for name in "${folders[@]}"; do
    [[ " ${COMPREPLY[*]} " == *" $name "* ]] || COMPREPLY+=("$name")
  done
}

_evident_add_folders() {
  compopt -o filenames 2>/dev/null
  _evident_add -d
}

_evident() {
  local _evident_word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD-1]} place='' i
  COMPREPLY=()
  # --option=value comes in three words.
  if [[ $_evident_word == '=' ]]; then
    _evident_word=''
  elif [[ $option == '=' ]]; then
    option=${COMP_WORDS[COMP_CWORD-2]}
  fi
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case "$place ${COMP_WORDS[i]}" in
)";

/// The line that offers the values of an option or argument; empty where only the user knows.
std::string offer_line(const Entry& entry) {
  switch (entry.takes) {
    case Takes::file:
      return fmt::format("_evident_add_files {}", single_quoted(entry.ending.empty() ? "" : "!*" + entry.ending));
    case Takes::folder:
      return "_evident_add_folders";
    case Takes::words:
      return fmt::format("_evident_add -W {}", single_quoted(fmt::format("{}", fmt::join(entry.words, " "))));
    case Takes::nothing:
    case Takes::anything:
      break;
  }
  return {};
}

std::string option_names(const Page& page) {
  std::string out;
  for (const Entry& option : page.options)
    out += fmt::format("{}{}", out.empty() ? "" : " ", fmt::join(option.names, " "));
  return out;
}

std::string argument_lines(const Page& page) {
  std::string out;
  if (!page.parts.empty()) {
    std::string names;
    for (const Page& part : page.parts) names += (names.empty() ? "" : " ") + part.path.back();
    out += fmt::format("      _evident_add -W {}\n", single_quoted(names));
  }
  for (const Entry& argument : page.arguments)
    if (const std::string line = offer_line(argument); !line.empty() && out.find(line) == std::string::npos)
      out += "      " + line + "\n";
  return out;
}

}  // namespace

std::string bash_completion(const Page& program) {
  std::string places, values, options, arguments;
  each_page(program, [&](const Page& page) {
    if (page.path.size() > 1) places += fmt::format("{}{}", places.empty() ? "" : " | ", single_quoted(place(page)));
    for (const Entry& option : page.options) {
      if (option.takes == Takes::nothing) continue;
      std::string names;
      for (const std::string& name : option.names)
        names += (names.empty() ? "" : " | ") + single_quoted(place(page) + " " + name);
      const std::string line = offer_line(option);
      values += fmt::format("    {})\n{}      return\n      ;;\n", names, line.empty() ? "" : "      " + line + "\n");
    }
    options +=
        fmt::format("      {}) _evident_add -W {} ;;\n", single_quoted(place(page)), single_quoted(option_names(page)));
    if (const std::string lines = argument_lines(page); !lines.empty())
      arguments += fmt::format("    {})\n{}      ;;\n", single_quoted(place(page)), lines);
  });
  return fmt::format(
      "{}      {}) place+=\" ${{COMP_WORDS[i]}}\" ;;\n    esac\n  done\n"
      "  case \"$place $option\" in\n{}  esac\n"
      "  if [[ $_evident_word == -* ]]; then\n    case $place in\n{}    esac\n    return\n  fi\n"
      "  case $place in\n{}  esac\n}}\n\ncomplete -F _evident evident\n",
      kBegin, places, values, options, arguments);
}

}  // namespace evident::cli::reference
