#include "compare/small_runs.hpp"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <utility>

#include "compare/island.hpp"
#include "evident/base/error.hpp"

namespace evident {
namespace {

constexpr std::size_t kLast = 3;  // steps that tell what the next ones are like

/// The work of each step, from what was done up to it.
class Recorded {
 public:
  explicit Recorded(const LikelihoodTime& time) : clock_(time) {}
  void add(std::size_t evaluations_of_step) {
    evaluations_ += static_cast<double>(evaluations_of_step);
    const double seconds = clock_.seconds(evaluations_);
    steps_.push_back({static_cast<double>(evaluations_of_step), seconds - seconds_});
    seconds_ = seconds;
  }
  /// Steps of the run; the first entry is the first particles.
  Course course(std::size_t particles, double steps_left, const FirstDraws& draws) const {
    Course out{.particles = particles, .steps_left = steps_left, .draws = draws};
    if (steps_.empty()) return out;
    out.first = steps_.front();
    out.steps.assign(steps_.begin() + 1, steps_.end());
    return out;
  }

 private:
  WorkClock clock_;
  double evaluations_ = 0, seconds_ = 0;
  std::vector<Work> steps_;
};

class PilotWatch final : public Observer {
 public:
  explicit PilotWatch(const LikelihoodTime& time) : recorded_(time) {}
  void on_step(const Trace& trace, const Population&) override {
    recorded_.add(trace.steps.back().evaluations);
    alphas_.push_back(trace.steps.back().alpha);
    draws_ = trace.first;
  }
  double alpha() const { return alphas_.empty() ? 0 : alphas_.back(); }
  bool tells() const { return alphas_.size() > kLast || alpha() >= 1; }
  Course course(std::size_t particles, bool from_prior) const {
    return recorded_.course(particles, steps_left(from_prior), draws_);
  }

 private:
  /// From the prior the steps grow as alpha does; on a path that begins near the posterior they are about equal.
  double steps_left(bool from_prior) const {
    if (alpha() >= 1 || !tells()) return 0;
    const double before = alphas_[alphas_.size() - kLast];
    if (from_prior && before > 0) return std::max(1.0, std::log(alpha()) / std::log(before / alpha()) * (kLast - 1));
    return std::max(1.0, (1 - alpha()) / (alpha() - before) * (kLast - 1));
  }

  Recorded recorded_;
  std::vector<double> alphas_;
  FirstDraws draws_;
};

class NestedWatch final : public NestedObserver {
 public:
  explicit NestedWatch(const LikelihoodTime& time) : recorded_(time) {}
  void on_step(const NestedTrace& trace, const Population&) override {
    recorded_.add(trace.steps.back().evaluations);
    log_volume_ = trace.steps.back().log_volume;
    draws_ = trace.first;
    ++levels_;
  }
  bool tells() const { return levels_ > kLast; }
  Course course(const NestedOptions& options, double depth, bool finished) const {
    const double left = std::max(1.0, (depth - log_volume_) / std::log(options.keep));
    return recorded_.course(options.particles, finished ? 0 : left, draws_);
  }

 private:
  Recorded recorded_;
  double log_volume_ = 0;
  std::size_t levels_ = 0;
  FirstDraws draws_;
};

}  // namespace

Work Course::moves() const {
  Work done, last;
  for (const Work& s : steps) done = done + s;
  if (finished()) return done;
  const std::size_t n = std::min(kLast, steps.size());
  for (std::size_t k = steps.size() - n; k < steps.size(); ++k) last = last + steps[k];
  return done + last * (steps_left / static_cast<double>(std::max<std::size_t>(n, 1)));
}

Deadline::Deadline(double seconds, const LikelihoodTime& time, const std::stop_token& above)
    : seconds_(seconds), above_(above), from_above_(above, [this] { stop_.request_stop(); }) {
  by_work_ = time.waiting == 0 && ::pthread_getcpuclockid(::pthread_self(), &clock_) == 0;
  if (by_work_) work_before_ = seconds_of(clock_);
  timer_ = std::jthread([this](const std::stop_token& no_longer) { wait(no_longer); });
}

double Deadline::on_the_wall() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

double Deadline::spent() const { return by_work_ ? seconds_of(clock_) - work_before_ : on_the_wall(); }

void Deadline::wait(const std::stop_token& no_longer) {
  constexpr double kPatience = 4, kShortest = 1e-3;
  std::condition_variable_any never;
  std::unique_lock lock(mutex_);
  while (!no_longer.stop_requested()) {
    const double more = std::min(left(), kPatience * seconds_ - on_the_wall());
    if (more <= 0) {
      stop_.request_stop();
      return;
    }
    never.wait_for(lock, no_longer, std::chrono::duration<double>(std::max(more, kShortest)), [] { return false; });
  }
}

void Deadline::check_above() const {
  if (above_.stop_requested()) throw RunError("stopped before the end");
}

SmallPilot small_pilot(const Model& model, const PriorAndModes* start, const SmcOptions& smc,
                       const LikelihoodTime& time, const Deadline& deadline, const Context& context) {
  SmallPilot out;
  PilotWatch watch(time);
  try {
    out.plan = run_pilot(model, start, smc, {context.streams, context.executor, deadline.token()}, &watch);
  } catch (const Error& e) {
    deadline.check_above();
    if (!deadline.reached())
      out.why_not = fmt::format("a run with {} particles failed: {}", smc.particles, e.what());
    else if (!watch.tells())
      out.why_not = fmt::format("a run with {} particles was at alpha = {:.2g} of 1 after {:.2g} seconds",
                                smc.particles, watch.alpha(), deadline.seconds());
  }
  out.course = watch.course(smc.particles, start == nullptr);
  return out;
}

std::optional<SmallNested> small_nested(const Model& model, const NestedOptions& options, double depth,
                                        const LikelihoodTime& time, const Deadline& deadline, const Context& context) {
  SmallNested out;
  NestedWatch watch(time);
  try {
    out.log_evidence =
        nested_pilot(model, options, {context.streams, context.executor, deadline.token()}, &watch).run.log_evidence;
  } catch (const Error&) {
    deadline.check_above();
    if (!deadline.reached() || !watch.tells()) return std::nullopt;
  }
  out.course = watch.course(options, depth, out.log_evidence.has_value());
  return out;
}

}  // namespace evident
