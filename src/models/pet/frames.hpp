// When the frames of a PET scan were taken, how heavily each counts, and the blood that they see.
//
//   const PetFrames published = frames_from_midtimes(midtimes);            // as Zhou, Aston and Johansen (2013)
//   PetFrames frames = frames_from_durations(starts, durations);           // value in the middle, dt the duration
//   frames = averaged_frames(starts, durations);                           // average over the frame instead
//   frames.dt = decay_weighted_dt(starts, durations, decay_constant);      // data corrected for decay
//   const PetBlood blood = make_blood(0.05, whole_blood, frames);          // 5 % of each voxel is blood
#pragma once

#include <span>
#include <vector>

#include "models/pet/input.hpp"

namespace evident {

/// The prediction of a frame is the model's value at `time`, or its average from `start` on over `duration` when these
/// two are given. `dt` is a weight and nothing else: the variance of a frame is prediction / (lambda dt). It need not
/// be the duration.
struct PetFrames {
  std::vector<double> time;           ///< seconds, increasing
  std::vector<double> dt;             ///< seconds, above 0
  std::vector<double> start = {};     ///< seconds; empty for values at `time`. Frames may have gaps, not overlap
  std::vector<double> duration = {};  ///< seconds, above 0; empty together with `start`

  bool averaged() const { return !start.empty(); }
};

/// Frames at these times with dt the differences between them (the first from 0).
PetFrames frames_from_midtimes(std::span<const double> times);
/// Frames from their starts and durations: the time is the middle, dt the duration.
PetFrames frames_from_durations(std::span<const double> starts, std::span<const double> durations);
/// The same, with predictions that are averages over the frames.
PetFrames averaged_frames(std::span<const double> starts, std::span<const double> durations);

/// dt of data that are corrected for decay. Counts are Poisson, and the counts of a frame fall with its mean decay
/// factor d, the average of exp(-decay t); multiplying them up by 1/d makes the variance activity / (lambda duration
/// d). So dt = duration d. `decay` in 1/s; times since that to which the data are corrected.
std::vector<double> decay_weighted_dt(std::span<const double> starts, std::span<const double> durations, double decay);

/// Blood in the vessels of a voxel: C = (1 - volume) C_tissue + volume C_WB. The default is none.
struct PetBlood {
  double volume = 0;                  ///< V_B, from 0 to below 1
  std::vector<double> activity = {};  ///< C_WB of each frame; may be empty when the volume is 0
};

/// Whole blood at the frames' times, or averaged over them.
PetBlood make_blood(double volume, const PetInput& whole_blood, const PetFrames& frames);

/// Throws InputError when frames, their input and the blood do not fit together.
void check_frames(const PetInput& input, const PetFrames& frames, const PetBlood& blood);

/// K of every frame and its derivative in theta, exact: values or averages. `slope` may be empty.
void convolve_frames(const PetInput& input, const PetFrames& frames, double theta, std::span<double> value,
                     std::span<double> slope);

}  // namespace evident
