// Values that an option or argument takes, for the command reference and for completion in shells.
//
//   offer(app.add_option("--noise", noise_, "..."), {"t", "normal"});
//
// Offering checks nothing: a command refuses what it does not know itself, with a message of its own. A file may be
// meant, too, where the description says so.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace evident::cli {

CLI::Option* offer(CLI::Option* option, const std::vector<std::string>& words);
/// What was offered; empty when nothing was.
std::vector<std::string> offered(CLI::Option& option);

}  // namespace evident::cli
