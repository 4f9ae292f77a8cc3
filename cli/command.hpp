// What a command of the program is: it declares its arguments and then runs.
//
// One command, one file in cmd/. A new one is added to `all_commands` in program.cpp.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "evident/cluster/launch.hpp"

namespace evident::cli {

class Interrupt;

class Command {
 public:
  virtual ~Command() = default;
  virtual std::string name() const = 0;
  virtual std::string description() const = 0;                   ///< one line
  virtual std::string examples() const = 0;                      ///< shown at the end of --help
  virtual std::vector<std::string> parts() const { return {}; }  ///< commands of its own, "simulate KIND"
  virtual bool hidden() const { return false; }                  ///< left out of --help and the reference
  virtual void declare(CLI::App& app) = 0;                       ///< its arguments
  virtual void run() = 0;                                        ///< throws InputError (exit 2) or RunError (exit 1)

  /// Whether its work is spread over the ranks of a team; of other commands rank 0 alone runs them.
  virtual bool spreads() const { return false; }
  /// The ranks that work together, and the signals that may end the work.
  void set_surroundings(cluster::Membership& membership, Interrupt& interrupt) {
    membership_ = &membership;
    interrupt_ = &interrupt;
  }

 protected:
  cluster::Membership& membership() const { return *membership_; }
  Interrupt& interrupt() const { return *interrupt_; }

 private:
  cluster::Membership* membership_ = nullptr;
  Interrupt* interrupt_ = nullptr;
};

std::unique_ptr<Command> batch_command();
std::unique_ptr<Command> check_command();
std::unique_ptr<Command> compare_command();
std::unique_ptr<Command> doctor_command();
std::unique_ptr<Command> gather_command();
std::unique_ptr<Command> methods_command();
std::unique_ptr<Command> models_command();
std::unique_ptr<Command> new_command();
std::unique_ptr<Command> pet_command();
std::unique_ptr<Command> reference_command();
std::unique_ptr<Command> report_command();
std::unique_ptr<Command> simulate_command();

}  // namespace evident::cli
