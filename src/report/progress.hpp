// Progress of a comparison, for people who wait.
//
//   const ProgressOptions shown{.models = study.candidates(), .replicates = 4, .style = detect_style(STDERR_FILENO)};
//   Progress progress(shown, to_stderr);
//   compare(candidates, options, &progress, stop);
//
// On a terminal: one live line for each running model, redrawn at most ten times a second by a separate thread, and a
// lasting line for each finished one. Otherwise: plain lines at start, end and every few seconds.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "evident/compare/compare.hpp"
#include "report/text.hpp"

namespace evident::report {

struct ProgressOptions {
  std::vector<std::string> names;   ///< of the models; one name for a run that serves all of them
  std::vector<Schedule> schedules;  ///< of the models, to forecast the steps that are left
  std::size_t replicates = 1;
  std::function<TextStyle()> style;  ///< asked before each drawing: the window may change its size
  double plain_interval = 5;         ///< seconds between plain lines
};

/// Steps that are left in a run. For the adaptive schedules: a step is as long as the spread of the log likelihood
/// allows, and that spread falls like 1 / alpha. NaN when nothing is known yet.
double steps_left(const Schedule& schedule, const Trace& trace);

/// All of it may be called from several threads at once.
class Progress final : public CompareObserver {
 public:
  Progress(ProgressOptions options, std::function<void(std::string_view)> write);
  ~Progress() override;  ///< removes the live lines

  void on_start(std::size_t model, std::size_t replicate) override;
  void on_step(std::size_t model, std::size_t replicate, const Trace& trace) override;
  void on_finish(std::size_t model, std::size_t replicate, const Replicate& result) override;
  void on_round(const RoundNotice& next) override;
  /// Stops drawing and removes the live lines; what is written afterwards stands on clean ground.
  void close();

 private:
  class Board;
  std::unique_ptr<Board> board_;
};

}  // namespace evident::report
