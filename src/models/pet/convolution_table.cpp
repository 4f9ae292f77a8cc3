#include "evident/models/pet/convolution_table.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "evident/base/error.hpp"
#include "models/pet/hermite.hpp"

namespace evident {
namespace {

void check(const PetInput& input, const PetFrames& frames, double theta_min, double theta_max) {
  if (frames.time.empty()) throw InputError("PET frames: there are none");
  if (frames.time.size() != frames.dt.size())
    throw InputError("PET frames: " + std::to_string(frames.time.size()) + " times but " +
                     std::to_string(frames.dt.size()) + " dt");
  for (std::size_t i = 0; i < frames.time.size(); ++i) {
    const std::string frame = "PET frame " + std::to_string(i + 1) + ": ";
    if (!(frames.time[i] > (i > 0 ? frames.time[i - 1] : 0.0)))
      throw InputError(frame + "times must increase from above 0, this is " + std::to_string(frames.time[i]));
    if (!(frames.dt[i] > 0) || !std::isfinite(frames.dt[i]))
      throw InputError(frame + "dt must be above 0, is " + std::to_string(frames.dt[i]));
  }
  if (!(frames.time.back() <= input.last_time()))
    throw InputError("PET frames: the last is at " + std::to_string(frames.time.back()) +
                     " s but the plasma input ends at " + std::to_string(input.last_time()) + " s");
  if (!(theta_min > 0 && theta_max > theta_min && theta_max < 1e100))
    throw InputError("convolution table: needs 0 < theta_min < theta_max, got " + std::to_string(theta_min) + " and " +
                     std::to_string(theta_max));
}

/// du/dtheta.
double octave_slope(double theta) {
  int exponent = 0;
  const double m = 2 * std::frexp(theta, &exponent) - 1;
  return (4 - 2 * m) / 3 * std::ldexp(1.0, 1 - exponent);
}

}  // namespace

double octave_position(double theta) {
  int exponent = 0;
  const double m = 2 * std::frexp(theta, &exponent) - 1;  // frexp counts from one half
  return exponent - 1 + (4 * m - m * m) / 3;
}

double octave_rate(double position) {
  const double exponent = std::floor(position);
  const double m = 2 - std::sqrt(4 - 3 * (position - exponent));
  return std::ldexp(1 + m, static_cast<int>(exponent));
}

PetFrames frames_from_midtimes(std::span<const double> times) {
  PetFrames frames{{times.begin(), times.end()}, {}};
  for (std::size_t i = 0; i < times.size(); ++i) frames.dt.push_back(times[i] - (i > 0 ? times[i - 1] : 0.0));
  return frames;
}

PetFrames frames_from_durations(std::span<const double> starts, std::span<const double> durations) {
  if (starts.size() != durations.size())
    throw InputError("PET frames: " + std::to_string(starts.size()) + " starts but " +
                     std::to_string(durations.size()) + " durations");
  PetFrames frames{{}, {durations.begin(), durations.end()}};
  for (std::size_t i = 0; i < starts.size(); ++i) frames.time.push_back(starts[i] + durations[i] / 2);
  return frames;
}

ConvolutionTable::ConvolutionTable(PetInput input, PetFrames frames, double theta_min, double theta_max,
                                   std::size_t nodes_per_octave)
    : input_(std::move(input)),
      frames_(std::move(frames)),
      theta_min_(theta_min),
      theta_max_(theta_max),
      nodes_per_octave_(static_cast<double>(nodes_per_octave)) {
  check(input_, frames_, theta_min, theta_max);
  if (nodes_per_octave == 0) throw InputError("convolution table: nodes_per_octave must be above 0");
  // Nodes sit on whole octaves too, because the second derivative of u jumps there.
  first_octave_ = std::floor(octave_position(theta_min) * nodes_per_octave_) / nodes_per_octave_;
  const double span = (octave_position(theta_max) - first_octave_) * nodes_per_octave_;
  node_count_ = static_cast<std::size_t>(std::floor(span)) + 2;
  fill();
}

void ConvolutionTable::fill() {
  const std::size_t n = size();
  nodes_.assign(node_count_ * 2 * width(), 0.0);
  for (std::size_t k = 0; k < node_count_; ++k) {
    const double theta = octave_rate(first_octave_ + static_cast<double>(k) / nodes_per_octave_);
    double* value = nodes_.data() + k * 2 * width();
    double* slope = value + width();
    input_.convolve(theta, frames_.time, {value, n}, {slope, n});
    const double per_step = 1 / (octave_slope(theta) * nodes_per_octave_);
    for (std::size_t i = 0; i < n; ++i) {
      value[i] *= frames_.dt[i];
      slope[i] *= frames_.dt[i] * per_step;
      // Four basis functions, of size at most 1, 1, 4/27 and 4/27.
      largest_ = std::max(largest_, 2 * (std::abs(value[i]) + std::abs(slope[i])));
    }
  }
}

void ConvolutionTable::evaluate(double theta, std::span<double> out) const {
  if (!covers(theta)) return exact(theta, out);
  const Hermite at = hermite_at(*this, theta);
  const std::size_t w = width();
  for (std::size_t i = 0; i < size(); ++i) {
    const double sum = at.weight[0] * at.node[i] + at.weight[1] * at.node[w + i] + at.weight[2] * at.node[2 * w + i] +
                       at.weight[3] * at.node[3 * w + i];
    out[i] = sum / frames_.dt[i];
  }
}

}  // namespace evident
