// The parts of a comparison in small, timed: what a forecast rests on.
//
//   const Deadline deadline(1.0, time, stop);
//   const SmallPilot first = small_pilot(model, start, smc, time, deadline, context);
//   if (first.plan) ...                     // it came to the end
//   first.course.work().evaluations;        // of the whole of it, done or not
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "compare/model_runs.hpp"
#include "compare/work_clock.hpp"
#include "evident/base/context.hpp"
#include "evident/model/model.hpp"
#include "evident/smc/sampler.hpp"
#include "nested/nested.hpp"

namespace evident {

struct Work {
  double evaluations = 0, seconds = 0;  ///< on one thread

  Work operator+(const Work& o) const { return {evaluations + o.evaluations, seconds + o.seconds}; }
  Work operator*(double factor) const { return {factor * evaluations, factor * seconds}; }
};

/// A run from its first particles on, of which the steps so far are known.
struct Course {
  std::size_t particles = 0;
  Work first = {};               ///< to draw the first particles
  std::vector<Work> steps = {};  ///< that were done
  double steps_left = 0;         ///< a guess; 0 when the run came to its end
  FirstDraws draws = {};

  bool finished() const { return steps_left == 0; }
  double all_steps() const { return static_cast<double>(steps.size()) + steps_left; }
  /// After the first particles; steps that are left cost what the last ones did.
  Work moves() const;
};

/// Asks for a stop when the time is up, or when the token above it is asked to. What others take of the processor does
/// not count, up to a few times the seconds: a forecast should not depend on what else runs. Where another process
/// computes the likelihood, the clock on the wall counts.
class Deadline {
 public:
  /// For the thread that calls; it asks for what was spent, too.
  Deadline(double seconds, const LikelihoodTime& time, const std::stop_token& above);
  std::stop_token token() const { return stop_.get_token(); }
  bool reached() const { return stop_.stop_requested(); }
  double seconds() const { return seconds_; }
  double spent() const;
  double left() const { return seconds_ - spent(); }
  /// Throws when not the time was up, but the stop came from above.
  void check_above() const;

 private:
  void wait(const std::stop_token& no_longer);
  double on_the_wall() const;

  double seconds_;
  bool by_work_ = false;
  clockid_t clock_ = {};  ///< processor time of the thread
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double work_before_ = 0;
  std::stop_token above_;
  std::stop_source stop_;
  std::stop_callback<std::function<void()>> from_above_;
  std::mutex mutex_;  // of the wait
  std::jthread timer_;
};

struct SmallPilot {
  Course course = {};
  std::optional<PlanOfPilot> plan = {};  ///< when it came to its end
  std::string why_not = {};              ///< when nothing can be told
};
/// The pilot of a comparison; from `start`, where there is one.
SmallPilot small_pilot(const Model& model, const PriorAndModes* start, const SmcOptions& smc,
                       const LikelihoodTime& time, const Deadline& deadline, const Context& context);

struct SmallNested {
  Course course = {};
  std::optional<Estimate> log_evidence = {};  ///< when it came to its end
};
/// A nested run. One that is stopped is taken to go on until `depth`, the logarithm of the share of the prior where it
/// would end. Nothing when it tells nothing.
std::optional<SmallNested> small_nested(const Model& model, const NestedOptions& options, double depth,
                                        const LikelihoodTime& time, const Deadline& deadline, const Context& context);

}  // namespace evident
