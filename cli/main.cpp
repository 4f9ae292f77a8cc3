// The program: finds the command, runs it, and turns what goes wrong into one line and an exit status.
#include <cxxabi.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>
#include <thread>
#include <typeinfo>

#include "base/option.hpp"
#include "base/printable.hpp"
#include "base/suggest.hpp"
#include "base/team.hpp"
#include "build_info.hpp"
#include "command.hpp"
#include "evident/base/error.hpp"
#include "interrupt.hpp"
#include "journal/same_work.hpp"
#include "output.hpp"
#include "program.hpp"
#include "tables/placed_error.hpp"

namespace evident::cli {
namespace {

constexpr int kRunFailed = 1, kBadInput = 2, kOutputClosed = 128 + SIGPIPE;  // as of programs that the signal ends

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
  for (const auto& command : commands)
    if (!command->hidden() || command->name() == argv[1]) names.push_back(command->name());
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

// Before anything else: a rank that only prints its help would leave the others waiting.
void require_same_command(int argc, char** argv, Team& team) {
  const std::vector<std::string> words(argv + 1, argv + std::max(argc, 1));
  const auto has = [&](const char* word) { return std::ranges::find(words, word) != words.end(); };
  JournalIdentity identity;
  identity.fact("command", words.empty() ? "nothing" : words.front());
  identity.fact("help", has("--help") || has("-h") ? "wanted" : "not wanted");
  require_same_work(identity, team);
}

void run(int argc, char** argv, cluster::Membership& membership, Interrupt& interrupt) {
  require_same_command(argc, argv, membership.team());
  const Program program = make_program();
  const std::vector<std::unique_ptr<Command>>& commands = program.commands;
  CLI::App& app = *program.app;
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
    command->set_surroundings(membership, interrupt);
    if (command->spreads() || membership.team().leads()) command->run();
  }
}

/// One line that can be read, whatever a file or a name brought along.
std::string line(std::string_view what) {
  constexpr std::size_t kMost = 4000;
  return abridged(printable(what), kMost) + "\n";
}

int report_error(std::string_view what, int status) {
  tell("evident: " + line(what));
  return status;
}

/// The message, and below it the formula and the caret.
int report_caret(std::string_view what) {
  std::string out = "evident: ";
  for (std::size_t at = 0; at < what.size();) {
    const std::size_t end = std::min(what.find('\n', at), what.size());
    out += line(what.substr(at, end - at));
    at = end + 1;
  }
  tell(out);
  return kBadInput;
}

// In a team the others are told, and one rank says it.
int report_failure(const std::string& what, int status, Team& team) {
  report_error(what, status);
  team.fail(what, status);
  return status;
}

// A rank that stopped because another one failed ends as that one did.
int report_failed_run(const std::string& what, Team& team) {
  try {
    team.rethrow_failure();
  } catch (const TeamFailure& other) {
    return report_error(other.message(), other.status());
  }
  return report_failure(what, kRunFailed, team);
}

/// The thread that watches for signals may be about to end the program, and then it speaks.
void claim_the_last_word(Interrupt& interrupt) {
  if (!interrupt.may_speak()) std::this_thread::sleep_for(std::chrono::hours(1));
}

int report_what_went_wrong(Team& team) {
  try {
    throw;
  } catch (const TeamFailure& e) {
    return report_error(e.message(), e.status());
  } catch (const OutputClosed& e) {
    team.fail(e.message(), kOutputClosed);
    return kOutputClosed;
  } catch (const CaretError& e) {
    report_caret(e.message());
    team.fail(e.message(), kBadInput);
    return kBadInput;
  } catch (const TooLargeData& e) {
    return report_failure(fmt::format("{}; {} allows more", e.message(), option("mem")), kBadInput, team);
  } catch (const InputError& e) {
    return report_failure(e.message(), kBadInput, team);
  } catch (const std::filesystem::filesystem_error& e) {
    // A path that leads nowhere was given; anything else happened to one that was good.
    const bool bad = e.code() == std::errc::too_many_symbolic_link_levels || e.code() == std::errc::filename_too_long;
    return report_failure(message_of(e), bad ? kBadInput : kRunFailed, team);
  } catch (const std::exception& e) {
    return report_failed_run(message_of(e), team);
  }
}

// The others are told the reason alone: what is kept is for rank 0 to say.
int report_stop(const Interrupt& interrupt, Team& team) {
  report_error(interrupt.words(), interrupt.status());
  team.fail(interrupt.reason(), interrupt.status());
  return interrupt.status();
}

int run_in(cluster::Membership& membership, Interrupt& interrupt, int argc, char** argv) {
  Team& team = membership.team();
  try {
    run(argc, argv, membership, interrupt);
    return 0;
  } catch (...) {
    claim_the_last_word(interrupt);
    return interrupt.status() != 0 ? report_stop(interrupt, team) : report_what_went_wrong(team);
  }
}

// Where a caller has closed a standard stream, no file may take its number: messages would be written into it.
void hold_standard_streams() {
  for (const int stream : {0, 1, 2}) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    if (::open("/dev/null", O_RDONLY) < 0) return;  // writing to it is an error, as before
  }
}

// Some libraries promise not to throw, and end the program where there is no memory for them. The message is made
// before: then there is none for it either.
void say_when_memory_ends() {
  static const std::string message = "evident: " + message_of(std::bad_alloc()) + "\n";
  static const std::terminate_handler usual = std::get_terminate();
  std::set_terminate([] {
    const std::type_info* const what = abi::__cxa_current_exception_type();
    if (what == nullptr || *what != typeid(std::bad_alloc)) usual();
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, message.data(), message.size());
    ::_exit(kRunFailed);
  });
}

// Whoever has too small a stack for formulas and documents within each other would see a crash.
void check_stack() {
  constexpr rlim_t kLeast = 512 * 1024;
  rlimit limit{};
  if (::getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= kLeast) return;
  throw InputError(fmt::format("the stack is limited to {} KB here, and evident needs {} KB: say 'ulimit -s {}' first",
                               limit.rlim_cur / 1024, kLeast / 1024, kLeast / 1024));
}

}  // namespace
}  // namespace evident::cli

int main(int argc, char** argv) {
  using namespace evident;
  signal(SIGPIPE, SIG_IGN);  // a closed pipe is an error to report, not a reason to die half-way
  signal(SIGXFSZ, SIG_IGN);  // the same for a file that grows beyond the limit of the shell
  cli::hold_standard_streams();
  cli::say_when_memory_ends();
  try {
    cli::check_stack();
    cluster::Membership membership = cluster::Membership::join(cli::commit());
    if (!membership.team().leads()) cli::be_silent();
    cli::Interrupt interrupt(membership);
    return membership.leave(cli::run_in(membership, interrupt, argc, argv));
  } catch (const InputError& e) {
    return cli::report_error(e.message(), cli::kBadInput);
  } catch (const std::exception& e) {
    return cli::report_error(message_of(e), cli::kRunFailed);
  }
}
