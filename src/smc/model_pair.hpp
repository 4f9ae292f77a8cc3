// Two models with the prior probability of the second growing from 0 to 1.
//
// The position on the path is the log odds eta = log(alpha / (1 - alpha)), which loses no digits at either end.
#pragma once

#include <cmath>

#include "evident/base/log_math.hpp"
#include "evident/model/family.hpp"

namespace evident {

class ModelPair final : public ModelPrior {
 public:
  ModelPair(ModelIndex from, ModelIndex to, double log_odds) : from_(from), to_(to), log_odds_(log_odds) {}

  double log_from() const { return log_odds_ == kInf ? -kInf : -log1p_exp(log_odds_); }  ///< log(1 - alpha)
  double log_to() const { return log_odds_ == -kInf ? -kInf : -log1p_exp(-log_odds_); }  ///< log alpha
  double alpha() const { return std::exp(log_to()); }
  double log_odds() const { return log_odds_; }

  double log_probability(ModelIndex k) const override { return k == from_ ? log_from() : k == to_ ? log_to() : -kInf; }
  ModelIndex draw(Stream& random) const override { return std::log(random.uniform()) < log_to() ? to_ : from_; }

 private:
  static double log1p_exp(double x) { return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)); }

  ModelIndex from_, to_;
  double log_odds_;
};

}  // namespace evident
