// Readers of the keys that shape one sampler: its schedule, its kernel, its resampling.
#pragma once

#include "evident/kernel/options.hpp"
#include "evident/schedule/schedule.hpp"
#include "particles/resample.hpp"
#include "study/section.hpp"

namespace evident::study {

/// Each starts from what is there and changes what the section names. Throws InputError with file and line.
/// `own_power`: whether the key `power` is meant for the schedule.
Schedule read_schedule(const Section& section, const Schedule& present, bool own_power);
void read_kernel(const Section& section, KernelOptions& kernel);
ResampleScheme read_scheme(const Section& section, ResampleScheme present);

}  // namespace evident::study
