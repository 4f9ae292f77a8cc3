// Options of a sampler, all with defaults:  SmcOptions{.particles = 4000, .schedule = CessSchedule{0.9999}}
#pragma once

#include <cstddef>
#include <string>

#include "evident/kernel/options.hpp"
#include "evident/particles/resample.hpp"
#include "evident/schedule/schedule.hpp"

namespace evident {

struct SmcOptions {
  std::size_t particles = 1000;
  Schedule schedule = CessSchedule{};
  ResampleScheme resample = ResampleScheme::stratified;
  double resample_threshold = 0.5;  ///< resample when ESS/N is below; 0 = never (AIS), 1 = always
  KernelOptions kernel = {};
  /// States of a chain in a waste-free run (Dau and Chopin 2022); 0 = off. Each step then draws particles / waste_free
  /// starts and keeps every state of the chains from them as the next particles, `kernel.passes` apart. It resamples
  /// always, whatever `resample_threshold` says.
  std::size_t waste_free = 0;
  double nan_limit = 0.05;         ///< the run fails when more than this share of the evaluations is NaN
  std::size_t max_steps = 100000;  ///< the run fails when alpha = 1 is not reached by then
  /// Keep what path sampling and the alarms look at: mean and variance of the log likelihood at every step, its finer
  /// grid, groups of particles. Without, there is the standard estimate alone, a little sooner.
  bool watch = true;
};

/// Throws InputError that names the option, its value and the range.
void check(const SmcOptions& options);
/// Throws InputError when the options ask for a waste-free run, which this sampler is not made for.
void require_whole_populations(const SmcOptions& options, const std::string& sampler);

}  // namespace evident
