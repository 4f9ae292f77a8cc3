// The result as one JSON document.
//
//   std::string text = to_json(comparison, {.study = "study.toml", .kinds = kinds});
//
// Numbers that are not finite become null. The document is a function of study and seed, apart from the fields that
// are called "seconds".
#pragma once

#include <string>
#include <vector>

#include "evident/compare/compare.hpp"

namespace evident::report {

/// What the document tells beyond the comparison itself.
struct RunInfo {
  std::string study;               ///< file name, without folders
  std::vector<std::string> kinds;  ///< of each model, in order; may be empty
};

/// Ends with a line break.
std::string to_json(const Comparison& comparison, const RunInfo& info);

}  // namespace evident::report
