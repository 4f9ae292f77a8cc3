// What was typed, for the record.
//
//   command_line(app, "evident batch", {"--shard", "--resume"});    // evident batch study.toml --groups subject
#pragma once

#include <CLI/CLI.hpp>
#include <initializer_list>
#include <string>
#include <string_view>

namespace evident::cli {

/// A word as a shell takes it.
std::string quoted(const std::string& word);

/// The arguments that were given, then the options in their order. `without` names options that change no result.
std::string command_line(const CLI::App& app, std::string start, std::initializer_list<std::string_view> without);

}  // namespace evident::cli
