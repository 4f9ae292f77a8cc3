// Weighted draws of one number, sorted, and what they say of it.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "imaging/fit/curve_fit.hpp"

namespace evident::imaging {

class WeightedValues {
 public:
  WeightedValues() = default;
  /// Draws without weight, and those that are not finite, are left out.
  WeightedValues(std::span<const double> values, std::span<const double> weights);
  /// A mixture: each set with the share that it gets.
  explicit WeightedValues(std::span<const std::pair<const WeightedValues*, double>> sets);

  Quantity summary() const;  ///< NaN when nothing is there

 private:
  struct Draw {
    double value, weight;
  };
  double total() const;
  std::vector<Draw> draws_;
};

}  // namespace evident::imaging
