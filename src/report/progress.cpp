#include "report/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "report/progress_lines.hpp"

namespace evident::report {
namespace {

constexpr auto kFrame = std::chrono::milliseconds(100);
constexpr std::size_t kMaxNameWidth = 24;

struct StepsLeft {
  const Step& last;
  double done;

  double operator()(const LinearSchedule& s) const { return static_cast<double>(s.steps) - done; }
  double operator()(const PowerSchedule& s) const { return static_cast<double>(s.steps) - done; }
  double operator()(const PosteriorSchedule& s) const { return static_cast<double>(s.steps) - done; }
  double operator()(const ListSchedule& s) const { return static_cast<double>(s.alphas.size()) - done; }
  double operator()(const CessSchedule& s) const { return adaptive(s.target); }
  double operator()(const EssSchedule& s) const { return adaptive(s.target); }
  // A step is sqrt(-log target) / sd long, and sd(alpha) is about sd x last.alpha / alpha from here on.
  double adaptive(double target) const {
    if (!(last.alpha > 0)) return kNaN;
    return last.alpha * std::sqrt(last.variance) * std::log(1 / last.alpha) / std::sqrt(-std::log(target));
  }
};

}  // namespace

double steps_left(const Schedule& schedule, const Trace& trace) {
  if (trace.steps.empty()) return kNaN;
  const auto done = static_cast<double>(trace.steps.size() - 1);
  return std::visit(StepsLeft{trace.steps.back(), done}, schedule);
}

/// The state of all runs, and the thread that shows it.
class Progress::Board {
 public:
  Board(ProgressOptions options, std::function<void(std::string_view)> write)
      : options_(std::move(options)), write_(std::move(write)), live_(options_.style().cursor) {
    for (const std::string& name : options_.names) {
      name_width_ = std::max(name_width_, std::min(display_width(printable(name)), kMaxNameWidth));
      models_.push_back({.name = name, .replicates = options_.replicates});
    }
    ticker_ = std::jthread([this](std::stop_token stop) { tick(stop); });
  }

  ~Board() { close(); }

  void close() {
    ticker_.request_stop();
    if (ticker_.joinable()) ticker_.join();
    std::lock_guard lock(mutex_);
    if (!live_) return;
    write_(erase() + lasting_);
    lasting_.clear();
    drawn_ = 0;
  }

  void start(std::size_t model, std::size_t replicate) {
    std::lock_guard lock(mutex_);
    ModelState& m = models_[model];
    const bool first = std::isnan(m.started);
    if (first) m.started = now();
    m.running.push_back({.replicate = replicate, .started = now()});
    if (first && !live_) write_(fmt::format("{}  started\n", fitted(printable(m.name), name_width_)));
  }

  void step(std::size_t model, std::size_t replicate, const Trace& trace) {
    if (trace.steps.empty()) return;
    const double left = steps_left(options_.schedules[model], trace);
    const Step& last = trace.steps.back();
    std::lock_guard lock(mutex_);
    for (RunningState& run : models_[model].running) {
      if (run.replicate != replicate) continue;
      run.alpha = last.alpha;
      run.ess = last.ess;
      run.acceptance = last.acceptance;
      run.steps = trace.steps.size() - 1;
      run.steps_left = left;
    }
  }

  void round(const RoundNotice& next) {
    std::lock_guard lock(mutex_);
    const std::string line = round_line(next, models_) + "\n";
    for (std::size_t k = 0; k < models_.size(); ++k) models_[k].replicates += next.models[k].islands;
    if (live_) {
      lasting_ += line;
    } else {
      write_(line);
    }
  }

  void finish(std::size_t model, std::size_t replicate, const Replicate& result) {
    std::lock_guard lock(mutex_);
    ModelState& m = models_[model];
    std::erase_if(m.running, [&](const RunningState& run) { return run.replicate == replicate; });
    m.log_evidences.push_back(result.log_evidence.value);
    m.steps = result.trace.steps.empty() ? 0 : result.trace.steps.size() - 1;
    m.acceptance = m.steps == 0 ? kNaN : result.trace.mean_acceptance();
    if (!m.finished()) return;
    const std::string line = finished_line(m, now(), name_width_) + "\n";
    if (live_) {
      lasting_ += line;  // shown with the next frame
    } else {
      write_(line);
    }
  }

 private:
  double now() const { return std::chrono::duration<double>(Clock::now() - begun_).count(); }

  void tick(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    double last_plain = 0;
    while (!stop.stop_requested()) {
      wake_.wait_for(lock, stop, kFrame, [] { return false; });
      if (stop.stop_requested()) return;
      if (live_) {
        draw();
      } else if (now() - last_plain >= options_.plain_interval) {
        last_plain = now();
        draw_plain();
      }
    }
  }

  // Moves to where the live lines begin and clears everything below.
  std::string erase() const { return drawn_ ? fmt::format("\r\x1b[{}A\x1b[J", drawn_) : std::string(); }

  void draw() {
    const TextStyle style = options_.style();
    std::string frame = erase() + lasting_;
    lasting_.clear();
    drawn_ = 0;
    const std::size_t room = style.height > 3 ? style.height - 2 : 1;
    std::size_t hidden = 0;
    for (const ModelState& m : models_) {
      if (m.running.empty()) continue;
      if (drawn_ == room) {
        ++hidden;
        continue;
      }
      frame += running_line(m, now(), name_width_, style) + "\n";
      ++drawn_;
    }
    if (hidden) {
      frame += fmt::format("... and {} more\n", hidden);
      ++drawn_;
    }
    if (!frame.empty()) write_(frame);
  }

  void draw_plain() {
    TextStyle style = options_.style();
    style.width = 200;  // no window to fit
    style.unicode = false;
    std::string lines;
    for (const ModelState& m : models_) {
      if (!m.running.empty()) lines += running_line(m, now(), name_width_, style) + "\n";
    }
    if (!lines.empty()) write_(lines);
  }

  using Clock = std::chrono::steady_clock;
  ProgressOptions options_;
  std::function<void(std::string_view)> write_;
  bool live_;
  Clock::time_point begun_ = Clock::now();
  std::size_t name_width_ = 0;
  std::mutex mutex_;  // guards everything below
  std::condition_variable_any wake_;
  std::vector<ModelState> models_;
  std::string lasting_;    // finished lines that wait for the next frame
  std::size_t drawn_ = 0;  // live lines on the screen
  std::jthread ticker_;
};

Progress::Progress(ProgressOptions options, std::function<void(std::string_view)> write)
    : board_(std::make_unique<Board>(std::move(options), std::move(write))) {}
Progress::~Progress() = default;

void Progress::on_start(std::size_t model, std::size_t replicate) { board_->start(model, replicate); }
void Progress::on_step(std::size_t model, std::size_t replicate, const Trace& trace) {
  board_->step(model, replicate, trace);
}
void Progress::on_finish(std::size_t model, std::size_t replicate, const Replicate& result) {
  board_->finish(model, replicate, result);
}
void Progress::on_round(const RoundNotice& next) { board_->round(next); }
void Progress::close() { board_->close(); }

}  // namespace evident::report
