// The options by which `compare` and `batch` change what [sampler] in a study says.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "evident/study/study.hpp"

namespace evident::cli {

class SamplerOptions {
 public:
  void declare(CLI::App& app);
  /// Throws InputError.
  study::Overrides overrides(const std::stop_token& stop, bool quiet) const;
  /// What was given, as texts with their names, apart from what results do not depend on.
  std::vector<std::pair<std::string, std::string>> given() const;

 private:
  std::optional<std::string> method_, particles_, cess_, seed_, threads_, replicates_, islands_, recipe_, precision_,
      decide_, time_;
  std::vector<std::string> models_;
  bool no_pilot_ = false, allow_code_ = false, allow_outside_ = false;
};

}  // namespace evident::cli
