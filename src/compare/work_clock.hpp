// What a piece of work takes, whatever else the machine does.
//
//   const WorkClock clock(time);
//   work();
//   const double seconds = clock.seconds(evaluations);
#pragma once

#include <ctime>

namespace evident {

inline double seconds_of(clockid_t clock) {
  timespec t{};
  ::clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Processor time of the calling thread.
inline double thread_seconds() { return seconds_of(CLOCK_THREAD_CPUTIME_ID); }

/// Of one log likelihood, on one thread.
struct LikelihoodTime {
  double in_block = 0;  ///< seconds; the quickest of a few calls
  double alone = 0;     ///< the same, asked for one at a time
  double waiting = 0;   ///< part of `in_block` in which this thread does nothing: another process computes
};

/// Counts the time of this thread, which others that load the machine do not change, and the time that it waits for
/// likelihoods of another process.
class WorkClock {
 public:
  explicit WorkClock(const LikelihoodTime& time) : time_(time) {}
  double seconds(double evaluations) const { return thread_seconds() - start_ + evaluations * time_.waiting; }

 private:
  const LikelihoodTime& time_;
  double start_ = thread_seconds();
};

}  // namespace evident
