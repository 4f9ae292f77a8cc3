// The acceptance-band rule of Jasra et al. (2011): leave the calibrated scale alone while acceptance lies in a band,
// narrow it below, widen it above.
#pragma once

#include <algorithm>

#include "evident/kernel/options.hpp"

namespace evident {

class ScaleBand {
 public:
  explicit ScaleBand(const KernelOptions& options)
      : active_(options.scale_rule == ScaleRule::band), low_(options.band_low), high_(options.band_high) {}

  double factor() const { return factor_; }

  void update(double acceptance) {
    if (!active_) return;
    constexpr double kChange = 1.5, kSmallest = 1e-4, kLargest = 1e2;
    if (acceptance < low_) factor_ /= kChange;
    if (acceptance > high_) factor_ *= kChange;
    factor_ = std::clamp(factor_, kSmallest, kLargest);
  }

 private:
  bool active_;
  double low_, high_, factor_ = 1;
};

}  // namespace evident
