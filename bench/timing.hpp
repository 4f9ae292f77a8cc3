// CPU time of the calling thread, and the least of several windows: others may load the machine.
#pragma once

#include <ctime>

#include <algorithm>

namespace evident::bench {

inline double thread_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

inline double wall_seconds() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Least seconds of one call of f, over `windows` windows of at least `window` seconds each.
template <class F>
double least_seconds(F&& f, int windows = 7, double window = 0.05) {
  double best = 1e300;
  for (int w = 0; w < windows; ++w) {
    const double start = thread_seconds();
    long calls = 0;
    double spent = 0;
    do {
      f();
      ++calls;
      spent = thread_seconds() - start;
    } while (spent < window);
    best = std::min(best, spent / static_cast<double>(calls));
  }
  return best;
}

}  // namespace evident::bench
