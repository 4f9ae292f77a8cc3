// What a command of the program is: it declares its arguments and then runs.
//
// One command, one file in cmd/. A new one is added to `all_commands` in main.cpp.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace evident::cli {

class Command {
 public:
  virtual ~Command() = default;
  virtual std::string name() const = 0;
  virtual std::string description() const = 0;                   ///< one line
  virtual std::string examples() const = 0;                      ///< shown at the end of --help
  virtual std::vector<std::string> parts() const { return {}; }  ///< commands of its own, "simulate KIND"
  virtual void declare(CLI::App& app) = 0;                       ///< its arguments
  virtual void run() = 0;                                        ///< throws InputError (exit 2) or RunError (exit 1)
};

std::unique_ptr<Command> compare_command();
std::unique_ptr<Command> methods_command();
std::unique_ptr<Command> models_command();
std::unique_ptr<Command> simulate_command();

}  // namespace evident::cli
