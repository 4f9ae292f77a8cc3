#include "imaging/fit/weighted_values.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace evident::imaging {

WeightedValues::WeightedValues(std::span<const double> values, std::span<const double> weights) {
  draws_.reserve(weights.size());
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (weights[i] > 0 && std::isfinite(values[i])) draws_.push_back({values[i], weights[i]});
  std::ranges::sort(draws_, {}, &Draw::value);
}

WeightedValues::WeightedValues(std::span<const std::pair<const WeightedValues*, double>> sets) {
  for (const auto& [set, share] : sets) {
    const double total = set->total();
    const auto old = static_cast<std::ptrdiff_t>(draws_.size());
    for (const Draw& d : set->draws_) draws_.push_back({d.value, share * d.weight / total});
    std::ranges::inplace_merge(draws_, draws_.begin() + old, {}, &Draw::value);
  }
}

double WeightedValues::total() const {
  double sum = 0;
  for (const Draw& d : draws_) sum += d.weight;
  return sum;
}

Quantity WeightedValues::summary() const {
  Quantity out;
  if (draws_.empty()) return out;
  const double all = total();
  double mean = 0, squares = 0;
  for (const Draw& d : draws_) mean += d.weight / all * d.value;
  for (const Draw& d : draws_) squares += d.weight / all * (d.value - mean) * (d.value - mean);
  out.mean = mean;
  out.sd = std::sqrt(squares);
  const auto quantile = [&](double p) {  // the smallest value whose cumulative weight reaches p
    double sum = 0;
    for (const Draw& d : draws_) {
      sum += d.weight;
      if (sum >= p * all) return d.value;
    }
    return draws_.back().value;
  };
  out.q025 = quantile(0.025);
  out.q50 = quantile(0.5);
  out.q975 = quantile(0.975);
  return out;
}

}  // namespace evident::imaging
