// docs/commands.md: all commands with their options, as tables.
#include <fmt/format.h>

#include "base/version.hpp"
#include "reference/markdown.hpp"
#include "reference/page.hpp"

namespace evident::cli::reference {
namespace {

std::string code(const std::string& text) {
  std::string out = "`";
  for (const char c : text) out += c == '|' ? "\\|" : std::string(1, c);
  return out + "`";
}

std::string row(const Entry& entry) {
  std::string text = in_markdown(entry.description);
  if (entry.required && entry.names.front().starts_with("-")) text += " (required)";
  return fmt::format("| {} | {} |\n", code(entry.label()), text);
}

std::string body(const Page& page) {
  std::string out =
      fmt::format("{}.\n\n```text\n{} {}\n```\n", in_markdown(page.description), page.title(), page.usage());
  if (!page.arguments.empty()) {
    out += "\n| Argument | |\n|---|---|\n";
    for (const Entry& argument : page.arguments)
      out += fmt::format("| {} | {} |\n", code(argument.value + (argument.several ? "..." : "")),
                         in_markdown(argument.description));
  }
  for (const std::string& group : page.groups()) {
    std::string rows;
    for (const Entry& option : page.options)
      if (option.group == group && option.names.back() != "--help") rows += row(option);
    if (rows.empty()) continue;
    out += fmt::format("\n| {} | |\n|---|---|\n{}", group == "Options" ? "Option" : in_markdown(group), rows);
  }
  if (!page.examples.empty()) {
    out += "\n```sh\n";
    for (const std::string& example : page.examples) out += example + "\n";
    out += "```\n";
  }
  for (const std::string& note : page.notes) out += "\n" + in_markdown(note) + "\n";
  if (!page.exit_status.empty() && page.exit_status != exit_statuses())
    out += "\nExit status: " + in_markdown(page.exit_status) + "\n";
  return out;
}

}  // namespace

std::string in_markdown(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("|*_<[]").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string markdown(const Page& program) {
  std::string out =
      "# Commands\n\n"
      "<!-- Printed by `evident reference --format markdown`; a test compares. Edit cli/cmd/ instead. -->\n\n"
      "What the program takes, as `evident COMMAND --help` and `man evident-COMMAND` tell it, too.\n\n"
      "| Command | |\n|---|---|\n";
  for (const Page& command : program.parts)
    out += fmt::format("| [{0}](#{1}) | {2} |\n", code(command.title()), command.dashed(),
                       in_markdown(command.description));
  out += fmt::format("\nExit status: {}\n\n| In the environment | |\n|---|---|\n", exit_statuses());
  for (const Variable& variable : variables())
    out += fmt::format("| {} | {} |\n", code(variable.name), in_markdown(variable.meaning));
  for (const Page& command : program.parts) {
    out += fmt::format("\n## {}\n\n{}", command.title(), body(command));
    for (const Page& part : command.parts) out += fmt::format("\n### {}\n\n{}", part.title(), body(part));
  }
  return out;
}

}  // namespace evident::cli::reference
