#include "models/pet/convolution_table.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "evident/base/error.hpp"
#include "models/pet/hermite.hpp"

namespace evident {
namespace {

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

ConvolutionTable::ConvolutionTable(PetInput input, PetFrames frames, double theta_min, double theta_max,
                                   std::size_t nodes_per_octave, PetBlood blood)
    : input_(std::move(input)),
      frames_(std::move(frames)),
      blood_(std::move(blood)),
      theta_min_(theta_min),
      theta_max_(theta_max),
      nodes_per_octave_(static_cast<double>(nodes_per_octave)) {
  check_frames(input_, frames_, blood_);
  if (!(theta_min > 0 && theta_max > theta_min && theta_max < 1e100))
    throw InputError("convolution table: needs 0 < theta_min < theta_max, got " + std::to_string(theta_min) + " and " +
                     std::to_string(theta_max));
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
    convolve_frames(input_, frames_, theta, {value, n}, {slope, n});
    const double per_step = 1 / (octave_slope(theta) * nodes_per_octave_);
    for (std::size_t i = 0; i < n; ++i) {
      const double weight = frames_.dt[i] * tissue();
      value[i] *= weight;
      slope[i] *= weight * per_step;
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
    out[i] = sum / (frames_.dt[i] * tissue());
  }
}

}  // namespace evident
