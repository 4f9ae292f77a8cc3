#include "program.hpp"

#include "base/version.hpp"
#include "build_info.hpp"

namespace evident::cli {
namespace {

std::vector<std::unique_ptr<Command>> all_commands() {
  std::vector<std::unique_ptr<Command>> commands;
  commands.push_back(batch_command());
  commands.push_back(check_command());
  commands.push_back(compare_command());
  commands.push_back(doctor_command());
  commands.push_back(gather_command());
  commands.push_back(methods_command());
  commands.push_back(models_command());
  commands.push_back(new_command());
  commands.push_back(pet_command());
  commands.push_back(reference_command());
  commands.push_back(report_command());
  commands.push_back(simulate_command());
  return commands;
}

std::string version_line() {
  const std::string line = "evident " + std::string(version());
  return commit().empty() ? line : line + " (commit " + std::string(commit()) + ")";
}

}  // namespace

Program make_program() {
  Program program{all_commands(), std::make_unique<CLI::App>(
                                      "Bayesian model comparison by adaptive sequential Monte Carlo", "evident")};
  CLI::App& app = *program.app;
  app.set_version_flag("--version", version_line(), "Print the version and exit");
  app.require_subcommand(1);
  app.get_formatter()->column_width(28);
  app.get_formatter()->label("SUBCOMMAND", "COMMAND");
  app.get_formatter()->label("Subcommands", "Commands");
  app.footer(
      "Examples:\n"
      "  evident compare study.toml\n"
      "  evident methods\n"
      "  evident models\n"
      "  evident simulate gaussian-mixture --seed 1 --out example\n\n"
      "'evident COMMAND --help' tells more.");
  for (const auto& command : program.commands) {
    CLI::App* sub = app.add_subcommand(command->name(), command->description());
    sub->footer(command->examples());
    sub->allow_extras();
    if (command->hidden()) sub->group("");
    command->declare(*sub);
  }
  return program;
}

}  // namespace evident::cli
