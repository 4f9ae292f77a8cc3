// The second that evident doctor spends on itself: answers that are known exactly, SIMD kernels against plain code, and
// the speed of a likelihood.
#pragma once

#include <string>
#include <vector>

namespace evident::cli::doctor {

struct Check {
  std::string key;    ///< in JSON
  std::string label;  ///< in the text
  bool passed = false;
  std::string text;      ///< what was found
  std::string advice{};  ///< what to do about it
  std::vector<std::pair<std::string, double>> numbers{};
};

/// Evidences of a built-in model and of a formula, within errors of the exact ones.
std::vector<Check> evidence_checks();
/// Likelihoods on every instruction set of this processor against plain code.
std::vector<Check> simd_checks();
/// PET likelihoods a second, one thread. Slowness is told, but nothing failed.
Check speed_check();

}  // namespace evident::cli::doctor
