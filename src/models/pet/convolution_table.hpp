// The convolution K(theta, t) of a plasma input with exp(-theta t), tabulated once for the frames of a study.
//
//   const auto table = std::make_shared<const ConvolutionTable>(plasma, frames, 1e-5, 0.1);
//   table->evaluate(3e-4, k);            // k[i] = K(3e-4, frames.time[i]), to 1e-7; or its average over frame i
//
// Cubic Hermite interpolation over a grid that is even in u(theta), a stand-in for log2(theta) that costs no logarithm:
// with theta = 2^e (1 + m), u = e + (4 m - m^2) / 3. This u has a continuous derivative, also where e changes, and
// stays within 8 % of an even grid in log(theta). Between two nodes the error falls with the fourth power of the step.
// The error is measured against A(theta, t), the convolution of |CP|: with an input that is never negative, A = K.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "evident/base/block.hpp"
#include "models/pet/frames.hpp"
#include "models/pet/input.hpp"

namespace evident {

class ConvolutionTable {
 public:
  static constexpr std::size_t kNodesPerOctave = 48;

  /// Covers theta_min .. theta_max, both above 0. Throws InputError when frames and input do not fit together.
  ConvolutionTable(PetInput input, PetFrames frames, double theta_min, double theta_max,
                   std::size_t nodes_per_octave = kNodesPerOctave, PetBlood blood = {});

  const PetFrames& frames() const { return frames_; }
  const PetBlood& blood() const { return blood_; }
  double tissue() const { return 1 - blood_.volume; }       ///< share of the voxel that is no blood
  std::size_t size() const { return frames_.time.size(); }  ///< number of frames
  const PetInput& input() const { return input_; }
  double theta_min() const { return theta_min_; }
  double theta_max() const { return theta_max_; }
  bool covers(double theta) const { return theta >= theta_min_ && theta <= theta_max_; }

  /// K of every frame, without blood: from the table where it covers theta, exact elsewhere.
  void evaluate(double theta, std::span<double> out) const;
  /// K of every frame, exact.
  void exact(double theta, std::span<double> out) const { convolve_frames(input_, frames_, theta, out, {}); }

  // For kernels. A node holds dt (1 - V_B) K for all frames, then its derivative in u times the step; rows are padded
  // with 0.
  const double* nodes() const { return nodes_.data(); }
  std::size_t node_count() const { return node_count_; }
  std::size_t width() const { return padded(size()); }           ///< length of a row
  double first_octave() const { return first_octave_; }          ///< u at node 0
  double nodes_per_octave() const { return nodes_per_octave_; }  ///< 1 / step in u
  double largest() const { return largest_; }                    ///< bound of |dt (1 - V_B) K| over the table

 private:
  void fill();

  PetInput input_;
  PetFrames frames_;
  PetBlood blood_;
  double theta_min_, theta_max_, nodes_per_octave_, first_octave_ = 0, largest_ = 0;
  std::size_t node_count_ = 0;
  AlignedVector<double> nodes_;
};

/// u(theta) for theta > 0; see the top of this file.
double octave_position(double theta);
/// The theta of a position.
double octave_rate(double position);

}  // namespace evident
