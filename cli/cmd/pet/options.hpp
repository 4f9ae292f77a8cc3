// The command line of `evident pet`, and the requests that it makes: one for each scan.
#pragma once

#include <CLI/CLI.hpp>
#include <deque>
#include <string>
#include <vector>

#include "cmd/pet/table.hpp"

namespace evident::cli {

class PetCommandOptions {
 public:
  /// Declares the options in groups, in lines of 80 characters.
  void declare(CLI::App& app);
  /// What was given. Throws InputError, naming the option.
  PetCommand command() const;

 private:
  struct Given {
    const PetOption& option;
    std::vector<std::string> texts = {};
    bool is_on = false;  ///< of a switch
  };
  void declare(CLI::App& app, const PetGroup& group, const PetOption& option);

  CLI::App* app_ = nullptr;
  std::string bids_root_, bids_out_, level_;
  std::deque<Given> given_;  // the parser keeps pointers into it
};

/// Throws InputError when options contradict each other. `warnings` are about the data set.
std::vector<imaging::PetRequest> requests(const PetCommand& command, std::vector<std::string>& warnings);

}  // namespace evident::cli
