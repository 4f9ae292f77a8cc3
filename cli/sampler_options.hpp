// The options by which `compare`, `batch` and `check` change what a study says; those of [sampler] are made from the
// table of study/sampler_options.hpp.
#pragma once

#include <CLI/CLI.hpp>
#include <deque>
#include <initializer_list>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "evident/study/study.hpp"
#include "study/sampler_options.hpp"

namespace evident::cli {

class SamplerOptions {
 public:
  void declare(CLI::App& app);
  /// Without those of [sampler] but these.
  void declare_few(CLI::App& app, std::initializer_list<std::string_view> names);
  /// Throws InputError.
  study::Overrides overrides(const std::stop_token& stop, bool quiet) const;
  /// What was given, as texts with their names, apart from what results do not depend on.
  std::vector<std::pair<std::string, std::string>> given() const;

 private:
  void declare(CLI::App& app, const study::SamplerOption& option);
  void declare_rest(CLI::App& app);

  struct Flag {
    const study::SamplerOption& option;
    std::optional<std::string> text = {};
  };
  /// Of the options that were given, with --no-pilot under the name that it stands for.
  std::vector<std::pair<const study::SamplerOption*, std::string>> texts() const;

  std::deque<Flag> flags_;  // the parser keeps pointers into it
  std::vector<std::string> models_;
  std::optional<std::string> memory_;
  bool no_pilot_ = false, allow_code_ = false, allow_outside_ = false;
};

}  // namespace evident::cli
