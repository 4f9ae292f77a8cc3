// Models that are programs of any language: they read lines from standard input and answer on standard output.
//
//   const auto model = start_process({.command = {"python3", "model.py"}, .folder = "/home/me", .parameters = space});
//
// What is said (docs/own-models.md tells it at length), evident's lines on the left:
//
//   evident 1                       version of the protocol
//   option noise 0.4                a line for each; the rest of the line is the value
//   parameter mu                    a line for each, in the order of the numbers below
//   column y 1.5 -0.25 2            a line for each column of the data
//   begin                           ready
//   batch 7 2                       batch number 7 has 2 parameter vectors, a line each
//   0.125
//   -1.5                            -3.25
//                                   -inf
//                                   done 7
//   bye                             (the program ends)
//
// In place of an answer the program may say "error" with a reason, which ends the run. Numbers are written so that they
// are read back exactly; nan, inf and -inf are numbers. As many programs run as threads ask at the same time. One that
// dies, hangs or says something else is ended and replaced.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "evident/model/model.hpp"
#include "external/parts.hpp"

namespace evident::external {

struct ProcessOptions {
  std::vector<std::string> command = {};  ///< the program and its arguments; no shell is involved
  std::string folder = {};                ///< where it runs; empty: here
  ParameterSpace parameters = {};
  std::vector<TextOption> options = {};
  std::vector<DataColumn> columns = {};
  double timeout_seconds = 60;                             ///< for a batch, and for the start
  std::size_t restarts = 3;                                ///< new tries of a batch before the run is given up
  std::size_t workers = 0;                                 ///< most programs at once; 0: as many as threads ask
  std::stop_token stop = {};                               ///< ends a call that waits
  std::function<void(std::string_view line)> notice = {};  ///< lines of standard error, and what was started again
};

/// Starts the first program. Throws InputError when it cannot be started or does not get ready; errors of later calls
/// are FatalErrors. An infinite log likelihood counts as NaN.
std::shared_ptr<const Model> start_process(ProcessOptions options);

}  // namespace evident::external
