#include "imaging/fit/quantity.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "base/statistics.hpp"

namespace evident::imaging {

PosteriorDraws::PosteriorDraws(std::span<const double> values, std::span<const double> weights) {
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!(weights[i] > 0) || !std::isfinite(values[i])) continue;
    values_.push_back(values[i]);
    weights_.push_back(weights[i]);
  }
}

void PosteriorDraws::add(const PosteriorDraws& more, double share) {
  const double total = std::accumulate(more.weights_.begin(), more.weights_.end(), 0.0);
  values_.insert(values_.end(), more.values_.begin(), more.values_.end());
  for (const double w : more.weights_) weights_.push_back(share * w / total);
}

Quantity PosteriorDraws::summary() const {
  if (values_.empty()) return {};
  const std::vector<double> q = weighted_quantiles(values_, weights_, std::array{0.025, 0.5, 0.975});
  return {weighted_mean(values_, weights_), weighted_standard_deviation(values_, weights_), q[0], q[1], q[2]};
}

}  // namespace evident::imaging
