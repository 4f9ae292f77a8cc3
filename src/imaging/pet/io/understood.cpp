// What a scan means to the model, and what was understood of it in words.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "imaging/pet/blood/blood.hpp"
#include "imaging/pet/io/scan.hpp"
#include "imaging/pet/io/units.hpp"

namespace evident::imaging {
namespace {

// "6 x 10 s, 4 x 60 s"; long lists are cut.
std::string frame_groups(const ScanTiming& timing) {
  std::string out;
  std::size_t groups = 0;
  for (std::size_t i = 0; i < timing.size();) {
    std::size_t j = i;
    while (j < timing.size() && std::abs(timing.duration[j] - timing.duration[i]) < 1e-6 * timing.duration[i]) ++j;
    if (++groups > 10) return out + ", ...";
    out += fmt::format("{}{} x {:.6g} s", out.empty() ? "" : ", ", j - i, timing.duration[i]);
    i = j;
  }
  return out;
}

std::string decay_line(const Scan& scan) {
  if (scan.decay_constant == 0) return "decay:    none, as given";
  const double minutes = std::log(2.0) / scan.decay_constant / 60;
  const std::string as_given = !scan.image_corrected ? "not corrected for decay"
                               : std::abs(scan.image_reference) < 1e-9
                                   ? "corrected to injection"
                                   : fmt::format("corrected to {:.6g} s {} injection", std::abs(scan.image_reference),
                                                 scan.image_reference > 0 ? "after" : "before");
  return fmt::format("decay:    {}, half-life {:.4g} min; the data come {} and are used {}", scan.nuclide, minutes,
                     as_given, scan.target == DecayTarget::corrected ? "corrected to injection" : "as counted");
}

void add_blood(std::vector<std::string>& lines, const InputFunction& input) {
  const auto peak = std::max_element(input.plasma.begin(), input.plasma.end());
  lines.push_back(fmt::format("plasma:   {} points to {:.6g} s (measured to {:.6g} s), peak {:.4g} kBq/mL at {:.4g} s",
                              input.time.size(), input.time.back(), input.measured_to, *peak,
                              input.time[static_cast<std::size_t>(peak - input.plasma.begin())]));
  if (input.blood.empty()) {
    lines.emplace_back("blood:    no whole blood");
  } else {
    lines.push_back(
        fmt::format("blood:    {} points of whole blood to {:.6g} s", input.blood.size(), input.blood_time.back()));
  }
  for (const std::string& note : input.notes) lines.push_back("note:     " + note);
}

}  // namespace

PetFrames pet_frames(const Scan& scan) {
  PetFrames frames;
  for (std::size_t i = 0; i < scan.timing.size(); ++i) frames.time.push_back(scan.timing.middle(i));
  if (scan.noise_dt == NoiseDt::midtime_diff)
    frames = frames_from_midtimes(frames.time);
  else
    frames.dt = scan.timing.duration;
  if (scan.target == DecayTarget::corrected) {
    for (std::size_t i = 0; i < frames.dt.size(); ++i)
      frames.dt[i] /= frame_decay_factor(scan.timing.start[i], scan.timing.duration[i], scan.decay_constant);
  }
  return frames;
}

std::vector<std::string> understood(const Scan& scan, const InputFunction* input) {
  std::vector<std::string> lines;
  lines.push_back(fmt::format("frames:   {} of {}, {:.6g} to {:.6g} s from injection{}", scan.timing.size(),
                              scan.image_frames, scan.timing.start.front(), scan.timing.last_end(),
                              scan.mid_times_only ? "" : ": " + frame_groups(scan.timing)));
  const auto factor = find_activity_factor(scan.units);
  lines.push_back(fmt::format("units:    {}{}", scan.units,
                              factor && *factor != 1 ? fmt::format(", times {:.6g} is kBq/mL", *factor) : ""));
  lines.push_back(decay_line(scan));
  lines.push_back("tracer:   " + (scan.tracer.empty() ? "not named" : scan.tracer));
  lines.push_back(fmt::format(
      "noise:    variance of a frame = activity / (lambda dt), dt = {}{}",
      scan.noise_dt == NoiseDt::duration ? "duration" : "difference of mid-times",
      scan.target == DecayTarget::corrected && scan.decay_constant > 0 ? " x mean decay of the frame" : ""));
  for (const std::string& note : scan.notes) lines.push_back("note:     " + note);
  if (input) add_blood(lines, *input);
  return lines;
}

}  // namespace evident::imaging
