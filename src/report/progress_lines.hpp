// What progress shows, as text: pure functions of the state of a model's runs.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "evident/base/log_math.hpp"
#include "evident/compare/compare.hpp"
#include "report/text.hpp"

namespace evident::report {

/// A run that is under way.
struct RunningState {
  std::size_t replicate = 0;
  double started = 0;  ///< seconds since the comparison began
  double alpha = 0, ess = kNaN, acceptance = kNaN;
  std::size_t steps = 0;
  double steps_left = kNaN;
};

/// All the runs of one model.
struct ModelState {
  std::string name;
  std::size_t replicates = 1;
  double started = kNaN;
  std::vector<RunningState> running = {};
  std::vector<double> log_evidences = {};  ///< of the finished replicates
  std::size_t steps = 0;                   ///< of the last finished replicate
  double acceptance = kNaN;

  bool finished() const { return log_evidences.size() == replicates; }
};

/// Seconds until the model is done; NaN when unknown.
double seconds_left(const ModelState& model, double now);
/// "four   [====      ]  alpha 0.0123  step 45  ESS 0.71  accept 0.32  12 s, 30 s left", cut to the width.
std::string running_line(const ModelState& model, double now, std::size_t name_width, const TextStyle& style);
/// "four   log evidence -254.312  231 steps  accept 0.31  2.3 s".
std::string finished_line(const ModelState& model, double now, std::size_t name_width);

/// "round 2 (about 3 s): four 8 more islands (error 0.21 so far)".
std::string round_line(const RoundNotice& next, const std::vector<ModelState>& models);

}  // namespace evident::report
