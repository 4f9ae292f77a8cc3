// Completion for zsh, by its _arguments.
#include <fmt/format.h>

#include "reference/page.hpp"
#include "reference/walk.hpp"
#include "shell.hpp"

namespace evident::cli::reference {
namespace {

/// Text inside of a specification, where brackets and colons have a meaning.
std::string in_zsh(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("[]:\\").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

/// What completes a value: the last part of a specification.
std::string action(const Entry& entry) {
  switch (entry.takes) {
    case Takes::file:
      return entry.ending.empty() ? "_files" : fmt::format("_files -g \"*{}\"", entry.ending);
    case Takes::folder:
      return "_files -/";
    case Takes::words:
      return fmt::format("({})", fmt::join(entry.words, " "));
    case Takes::nothing:
    case Takes::anything:
      break;
  }
  return " ";  // the user's own
}

std::string option_lines(const Page& page) {
  std::string out;
  for (const Entry& option : page.options) {
    for (const std::string& name : option.names) {
      std::string line = fmt::format("({})", fmt::join(option.names, " ")) + name;
      if (option.takes == Takes::nothing) {
        line += fmt::format("[{}]", in_zsh(option.description));
      } else {
        line += fmt::format("{}[{}]:{}:{}", name.starts_with("--") ? "=" : "", in_zsh(option.description),
                            in_zsh(option.value), action(option));
      }
      out += fmt::format("    {} \\\n", single_quoted(line));
    }
  }
  return out;
}

std::string function_name(const Page& page) {
  std::string out;
  for (const std::string& word : page.path) out += "_" + word;
  return out;
}

/// A command with commands below it hands over to theirs.
std::string group_function(const Page& page) {
  std::string out =
      fmt::format("{}() {{\n  local context state state_descr line\n  typeset -A opt_args\n  _arguments -C \\\n{}",
                  function_name(page), option_lines(page));
  out +=
      "    '1:command:->command' \\\n    '*::argument:->argument'\n  case $state in\n  command)\n    local -a "
      "commands\n    commands=(\n";
  for (const Page& part : page.parts)
    out += fmt::format("      {}\n", single_quoted(part.path.back() + ":" + in_zsh(part.description)));
  out += "    )\n    _describe -t commands command commands\n    ;;\n  argument)\n    case $words[1] in\n";
  for (const Page& part : page.parts) out += fmt::format("    {}) {} ;;\n", part.path.back(), function_name(part));
  return out + "    esac\n    ;;\n  esac\n}\n\n";
}

std::string leaf_function(const Page& page) {
  std::string out = fmt::format("{}() {{\n  _arguments \\\n{}", function_name(page), option_lines(page));
  std::size_t number = 0;
  for (const Entry& argument : page.arguments)
    out += fmt::format("    {} \\\n",
                       single_quoted(fmt::format("{}:{}:{}", argument.several ? "*" : std::to_string(++number),
                                                 in_zsh(argument.value), action(argument))));
  out.erase(out.size() - 3);  // the last " \"
  return out + "\n}\n\n";
}

}  // namespace

std::string zsh_completion(const Page& program) {
  std::string out =
      "#compdef evident\n# Completion of evident for zsh, printed by 'evident reference --format zsh'.\n\n";
  each_page(program, [&](const Page& page) { out += page.parts.empty() ? leaf_function(page) : group_function(page); });
  return out + "_evident \"$@\"\n";
}

}  // namespace evident::cli::reference
