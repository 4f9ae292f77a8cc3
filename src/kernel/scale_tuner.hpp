// How the calibrated scale is widened or narrowed from step to step.
//
// The acceptance-band rule of Jasra et al. (2011): leave the scale alone while acceptance lies in a band, narrow it
// below, widen it above. The jump rule of Fearnhead and Taylor (2013): particles of the same step try several factors,
// and the next step takes the one that moved them furthest.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "evident/kernel/options.hpp"

namespace evident {

/// What one move told of a group: proposals accepted, and squared jumps in units of scale x root.
struct MoveTally {
  static constexpr std::size_t kTried = 5;
  std::size_t proposed = 0, accepted = 0;
  double squares = 0;
  std::array<double, kTried> tried_squares{};  ///< for each factor that the jump rule tries, factor included

  /// As plain numbers, to be added up; counts are exact as doubles.
  static constexpr std::size_t kNumbers = 3 + kTried;
  void put(double* out) const {
    out[0] = static_cast<double>(proposed);
    out[1] = static_cast<double>(accepted);
    out[2] = squares;
    std::copy(tried_squares.begin(), tried_squares.end(), out + 3);
  }
  static MoveTally from(const double* numbers) {
    MoveTally out{static_cast<std::size_t>(numbers[0]), static_cast<std::size_t>(numbers[1]), numbers[2], {}};
    std::copy_n(numbers + 3, kTried, out.tried_squares.begin());
    return out;
  }
};

class ScaleTuner {
 public:
  explicit ScaleTuner(const KernelOptions& options)
      : rule_(options.scale_rule), low_(options.band_low), high_(options.band_high) {}

  double factor() const { return factor_; }
  void set_factor(double factor) { factor_ = factor; }
  bool tries() const { return rule_ == ScaleRule::jump; }
  /// The factors that the jump rule tries, relative to factor().
  static constexpr std::array<double, MoveTally::kTried> kTries = {0.5, 0.7071067811865476, 1, 1.4142135623730951, 2};
  /// Neighbours, which may be copies of one another, try different ones; a particle tries all of them in turn.
  static std::size_t choice(std::size_t particle, std::size_t pass) { return (particle + pass) % kTries.size(); }

  /// Mean squared jump of a proposal in units of the scale, with the best factor that was tried.
  double best_jump(const MoveTally& tally) const {
    const auto all = static_cast<double>(tally.proposed);
    if (!tries()) return tally.squares / all;
    const auto& jumps = tally.tried_squares;
    return *std::max_element(jumps.begin(), jumps.end()) / (all / static_cast<double>(jumps.size()));
  }

  void update(const MoveTally& tally) {
    if (tally.proposed == 0) return;
    const double acceptance = static_cast<double>(tally.accepted) / static_cast<double>(tally.proposed);
    constexpr double kChange = 1.5, kSmallest = 1e-4, kLargest = 1e2;
    if (rule_ == ScaleRule::band) {
      if (acceptance < low_) factor_ /= kChange;
      if (acceptance > high_) factor_ *= kChange;
    } else if (rule_ == ScaleRule::jump) {
      const auto& jumps = tally.tried_squares;
      const auto best = std::max_element(jumps.begin(), jumps.end());
      factor_ *= *best > 0 ? kTries[static_cast<std::size_t>(best - jumps.begin())] : kTries.front();
    }
    factor_ = std::clamp(factor_, kSmallest, kLargest);
  }

 private:
  ScaleRule rule_;
  double low_, high_, factor_ = 1;
};

}  // namespace evident
