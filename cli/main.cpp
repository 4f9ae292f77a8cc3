// The program: finds the command, runs it, and turns what goes wrong into one line and an exit status.
#include <fmt/format.h>
#include <signal.h>

#include <cstdio>
#include <new>

#include "command.hpp"
#include "evident/base/error.hpp"
#include "evident/base/suggest.hpp"
#include "evident/base/version.hpp"
#include "evident/report/text.hpp"
#include "output.hpp"

namespace evident::cli {
namespace {

constexpr int kRunFailed = 1, kBadInput = 2;

std::vector<std::unique_ptr<Command>> all_commands() {
  std::vector<std::unique_ptr<Command>> commands;
  commands.push_back(compare_command());
  commands.push_back(methods_command());
  commands.push_back(models_command());
  commands.push_back(simulate_command());
  return commands;
}

// Arguments that no option takes, with the nearest option.
void refuse_unknown(const CLI::App& app, const std::string& path) {
  for (const CLI::App* part : app.get_subcommands()) refuse_unknown(*part, path + " " + part->get_name());
  const std::vector<std::string> extras = app.remaining();
  if (extras.empty()) return;
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  const std::string word = extras.front().substr(0, extras.front().find('='));
  const std::vector<std::string_view> known(names.begin(), names.end());
  const bool is_option = word.starts_with("-");
  throw InputError(fmt::format("{} '{}'{}; see 'evident {} --help'",
                               is_option ? "unknown option" : "unexpected argument", word,
                               is_option ? did_you_mean(word, known) : "", path));
}

// A mistyped word where a command (or the kind of "simulate KIND") belongs.
void refuse_unknown_word(std::string_view what, std::string_view word, const std::vector<std::string>& names) {
  const std::vector<std::string_view> known(names.begin(), names.end());
  if (word.starts_with("-") || std::ranges::find(known, word) != known.end()) return;
  const std::string hint = did_you_mean(word, known);
  throw InputError(fmt::format("unknown {} '{}'{}", what, word,
                               hint.empty() ? fmt::format("; known are {}", fmt::join(known, ", ")) : hint));
}

void refuse_unknown_commands(int argc, char** argv, const std::vector<std::unique_ptr<Command>>& commands) {
  if (argc < 2) throw InputError("a command is needed; see 'evident --help'");
  std::vector<std::string> names;
  for (const auto& command : commands) names.push_back(command->name());
  refuse_unknown_word("command", argv[1], names);
  for (const auto& command : commands) {
    if (command->name() != argv[1] || command->parts().empty()) continue;
    if (argc < 3) throw InputError(fmt::format("'evident {0}' needs to know what; see 'evident {0} --help'", argv[1]));
    refuse_unknown_word("kind", argv[2], command->parts());
  }
}

// CLI11 writes "study is required"; a user needs the name of the command too.
void parse(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success&) {
    throw;  // --help and --version
  } catch (const CLI::ParseError& e) {
    const auto used = app.get_subcommands();
    throw InputError(
        fmt::format("{}; see 'evident {}--help'", e.what(), used.empty() ? "" : used[0]->get_name() + " "));
  }
}

void run(int argc, char** argv) {
  CLI::App app("Bayesian model comparison by adaptive sequential Monte Carlo", "evident");
  app.set_version_flag("--version", "evident " + std::string(version()));
  app.require_subcommand(1);
  app.get_formatter()->column_width(28);
  app.get_formatter()->label("SUBCOMMAND", "COMMAND");
  app.get_formatter()->label("Subcommands", "Commands");
  app.footer(
      "Examples:\n  evident compare study.toml\n  evident methods\n  evident models\n  evident simulate "
      "gaussian-mixture --seed 1 --out "
      "example\n\n'evident COMMAND --help' tells more.");
  const std::vector<std::unique_ptr<Command>> commands = all_commands();
  for (const auto& command : commands) {
    CLI::App* sub = app.add_subcommand(command->name(), command->description());
    sub->footer(command->examples());
    sub->allow_extras();
    command->declare(*sub);
  }
  refuse_unknown_commands(argc, argv, commands);
  try {
    parse(app, argc, argv);
  } catch (const CLI::CallForVersion& e) {
    return print(std::string(e.what()) + "\n");
  } catch (const CLI::Success&) {
    return print(app.help());  // of the innermost command that was named
  }
  for (const auto& command : commands) {
    const CLI::App* sub = app.get_subcommand(command->name());
    if (!sub->parsed()) continue;
    refuse_unknown(*sub, sub->get_name());
    command->run();
  }
}

int report_error(std::string_view what, int status) {
  // One line, whatever a file or a name brought along.
  fmt::print(stderr, "evident: {}\n", report::printable(what));
  return status;
}

}  // namespace
}  // namespace evident::cli

int main(int argc, char** argv) {
  using namespace evident;
  signal(SIGPIPE, SIG_IGN);  // a closed pipe is an error to report, not a reason to die half-way
  try {
    cli::run(argc, argv);
    return 0;
  } catch (const InputError& e) {
    return cli::report_error(e.what(), cli::kBadInput);
  } catch (const std::bad_alloc&) {
    return cli::report_error("out of memory; use fewer particles", cli::kRunFailed);
  } catch (const std::exception& e) {
    return cli::report_error(e.what(), cli::kRunFailed);
  }
}
