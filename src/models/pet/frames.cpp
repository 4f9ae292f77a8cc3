#include "models/pet/frames.hpp"

#include <cmath>
#include <string>

#include "evident/base/error.hpp"

namespace evident {
namespace {

void check_lengths(std::size_t starts, std::size_t durations) {
  if (starts != durations)
    throw InputError("PET frames: " + std::to_string(starts) + " starts but " + std::to_string(durations) +
                     " durations");
}

void check_values(const PetInput& input, const PetFrames& frames) {
  if (!(frames.time.front() > 0))
    throw InputError("PET frame 1: times must increase from above 0, this is " + std::to_string(frames.time.front()));
  if (!(frames.time.back() <= input.last_time()))
    throw InputError("PET frames: the last is at " + std::to_string(frames.time.back()) +
                     " s but the plasma input ends at " + std::to_string(input.last_time()) + " s");
}

void check_averages(const PetInput& input, const PetFrames& frames) {
  check_lengths(frames.start.size(), frames.duration.size());
  if (frames.start.size() != frames.time.size())
    throw InputError("PET frames: " + std::to_string(frames.time.size()) + " times but " +
                     std::to_string(frames.start.size()) + " starts");
  double last_end = 0;
  for (std::size_t i = 0; i < frames.start.size(); ++i) {
    const std::string frame = "PET frame " + std::to_string(i + 1) + ": ";
    const double start = frames.start[i], end = start + frames.duration[i];
    if (!std::isfinite(start) || !(frames.duration[i] > 0) || !std::isfinite(end))
      throw InputError(frame + "start must be a number and duration above 0, they are " + std::to_string(start) +
                       " and " + std::to_string(frames.duration[i]));
    if (!(end > 0))
      throw InputError(frame + "ends at " + std::to_string(end) + " s, before the injection; leave it out");
    // Starts and durations that were rounded on their way may touch a little.
    if (i > 0 && start < last_end - 1e-6 * frames.duration[i])
      throw InputError(frame + "starts at " + std::to_string(start) + " s, before frame " + std::to_string(i) +
                       " ends at " + std::to_string(last_end) + " s");
    last_end = end;
  }
  if (!(last_end <= input.last_time() * (1 + 1e-12)))
    throw InputError("PET frames: the last ends at " + std::to_string(last_end) + " s but the plasma input at " +
                     std::to_string(input.last_time()) + " s");
}

void check_blood(const PetFrames& frames, const PetBlood& blood) {
  if (!(blood.volume >= 0 && blood.volume < 1))
    throw InputError("PET blood volume: must be from 0 to below 1, is " + std::to_string(blood.volume));
  if (blood.volume == 0 && blood.activity.empty()) return;
  if (blood.activity.size() != frames.time.size())
    throw InputError("PET whole blood: " + std::to_string(frames.time.size()) + " frames but " +
                     std::to_string(blood.activity.size()) + " activities");
  for (std::size_t i = 0; i < blood.activity.size(); ++i)
    if (!std::isfinite(blood.activity[i]))
      throw InputError("PET whole blood: the activity of frame " + std::to_string(i + 1) + " is not a finite number");
}

}  // namespace

PetFrames frames_from_midtimes(std::span<const double> times) {
  PetFrames frames{{times.begin(), times.end()}, {}};
  for (std::size_t i = 0; i < times.size(); ++i) frames.dt.push_back(times[i] - (i > 0 ? times[i - 1] : 0.0));
  return frames;
}

PetFrames frames_from_durations(std::span<const double> starts, std::span<const double> durations) {
  check_lengths(starts.size(), durations.size());
  PetFrames frames{{}, {durations.begin(), durations.end()}};
  for (std::size_t i = 0; i < starts.size(); ++i) frames.time.push_back(starts[i] + durations[i] / 2);
  return frames;
}

PetFrames averaged_frames(std::span<const double> starts, std::span<const double> durations) {
  PetFrames frames = frames_from_durations(starts, durations);
  frames.start.assign(starts.begin(), starts.end());
  frames.duration.assign(durations.begin(), durations.end());
  return frames;
}

std::vector<double> decay_weighted_dt(std::span<const double> starts, std::span<const double> durations, double decay) {
  check_lengths(starts.size(), durations.size());
  if (!(decay >= 0 && std::isfinite(decay)))
    throw InputError("PET frames: the decay constant must be at least 0, is " + std::to_string(decay));
  std::vector<double> dt;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const double z = decay * durations[i], mean = z > 0 ? -std::expm1(-z) / z : 1.0;
    dt.push_back(durations[i] * mean * std::exp(-decay * starts[i]));
  }
  return dt;
}

PetBlood make_blood(double volume, const PetInput& whole_blood, const PetFrames& frames) {
  check_frames(whole_blood, frames, {});
  PetBlood blood{volume, {}};
  for (std::size_t i = 0; i < frames.time.size(); ++i)
    blood.activity.push_back(frames.averaged() ? whole_blood.average(frames.start[i], frames.duration[i])
                                               : whole_blood(frames.time[i]));
  check_blood(frames, blood);
  return blood;
}

void check_frames(const PetInput& input, const PetFrames& frames, const PetBlood& blood) {
  if (frames.time.empty()) throw InputError("PET frames: there are none");
  if (frames.time.size() != frames.dt.size())
    throw InputError("PET frames: " + std::to_string(frames.time.size()) + " times but " +
                     std::to_string(frames.dt.size()) + " dt");
  for (std::size_t i = 0; i < frames.time.size(); ++i) {
    const std::string frame = "PET frame " + std::to_string(i + 1) + ": ";
    if (!std::isfinite(frames.time[i]) || (i > 0 && !(frames.time[i] > frames.time[i - 1])))
      throw InputError(frame + "times must increase from above 0, this is " + std::to_string(frames.time[i]));
    if (!(frames.dt[i] > 0) || !std::isfinite(frames.dt[i]))
      throw InputError(frame + "dt must be above 0, is " + std::to_string(frames.dt[i]));
  }
  if (frames.averaged() || !frames.duration.empty())
    check_averages(input, frames);
  else
    check_values(input, frames);
  check_blood(frames, blood);
}

void convolve_frames(const PetInput& input, const PetFrames& frames, double theta, std::span<double> value,
                     std::span<double> slope) {
  if (frames.averaged())
    input.convolve_average(theta, frames.start, frames.duration, value, slope);
  else
    input.convolve(theta, frames.time, value, slope);
}

}  // namespace evident
