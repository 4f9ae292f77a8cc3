// A posterior quantity, and the weighted draws that it sums up.
//
//   PosteriorDraws vt(values, weights);
//   vt.summary().q50;
//   PosteriorDraws both; both.add(vt_of_one, 0.3); both.add(vt_of_two, 0.7);        // averaged over two models
#pragma once

#include <span>
#include <vector>

#include "evident/base/log_math.hpp"

namespace evident::imaging {

struct Quantity {
  double mean = kNaN, sd = kNaN, q025 = kNaN, q50 = kNaN, q975 = kNaN;
};

class PosteriorDraws {
 public:
  PosteriorDraws() = default;
  /// Draws without weight, and those that are not finite, are left out.
  PosteriorDraws(std::span<const double> values, std::span<const double> weights);
  /// More draws, which have this share of the total.
  void add(const PosteriorDraws& more, double share);
  Quantity summary() const;  ///< NaN when nothing is there

 private:
  std::vector<double> values_, weights_;
};

}  // namespace evident::imaging
