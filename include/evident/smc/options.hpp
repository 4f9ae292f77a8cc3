// Options of a sampler, all with defaults:  SmcOptions{.particles = 4000, .schedule = CessSchedule{0.9999}}
#pragma once

#include <cstddef>

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
  double nan_limit = 0.05;         ///< the run fails when more than this share of the evaluations is NaN
  std::size_t max_steps = 100000;  ///< the run fails when alpha = 1 is not reached by then
};

/// Throws InputError that names the option, its value and the range.
void check(const SmcOptions& options);

}  // namespace evident
