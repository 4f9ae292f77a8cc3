// Which of five covariates belong in a regression: 32 models with exact evidences, on simulated data.
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "evident/base/log_math.hpp"
#include "models/regression/regression_family.hpp"
#include "models/regression/simulate.hpp"

namespace evident::problems {

inline RegressionFamily subsets() {
  const RegressionTable table = simulate_regression({}, 60, Streams({.seed = 1}));
  return {std::make_shared<const RegressionData>(table.y, table.columns, table.names), {}};
}

/// Exact posterior probabilities of the 32 subsets, in the order of their bits.
inline std::vector<double> subset_probabilities(const RegressionFamily& family) {
  std::vector<double> log_joint;
  for (ModelIndex k = 0; k < 32; ++k)
    log_joint.push_back(family.prior().log_probability(k) + family.regression(k).exact_log_evidence());
  const double total = log_sum_exp(log_joint);
  for (double& v : log_joint) v = std::exp(v - total);
  return log_joint;
}

}  // namespace evident::problems
