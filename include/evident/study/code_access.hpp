// May a study run code that is not evident's own, or read files outside of its own folder? Only when whoever runs it
// says so: a study file can come from anywhere.
//
//   read_study("study.toml", {.code = {.allowed = true, .stop = interrupt.token()}});
#pragma once

#include <functional>
#include <stop_token>
#include <string_view>

namespace evident::study {

struct CodeAccess {
  bool allowed = false;
  bool outside = false;                                    ///< data files may lie outside of the study's folder
  std::stop_token stop = {};                               ///< ends what waits for a program
  std::function<void(std::string_view line)> notice = {};  ///< what a program writes to standard error, and restarts
};

}  // namespace evident::study
