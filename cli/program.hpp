// The commands of the program and the command line that they declare: the one source of what it accepts, of --help, and
// of the command reference, man pages and completion (reference/).
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <vector>

#include "command.hpp"

namespace evident::cli {

struct Program {
  std::vector<std::unique_ptr<Command>> commands;
  std::unique_ptr<CLI::App> app;
};

Program make_program();

}  // namespace evident::cli
