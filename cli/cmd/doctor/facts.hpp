// What evident doctor tells of the program and of the machine that it runs on.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace evident::cli::doctor {

/// One line of the report, and its entry in the JSON document.
struct Fact {
  std::string key;    ///< in JSON
  std::string label;  ///< in the text
  std::string text;   ///< in words
  nlohmann::ordered_json value;
  std::string advice{};  ///< what to do, where something could be better
  bool failed = false;   ///< something that should work does not
};

/// Compiler, libraries, what was built in.
std::vector<Fact> program_facts();
/// Processor, threads, memory, MPI, Python.
std::vector<Fact> machine_facts();

}  // namespace evident::cli::doctor
