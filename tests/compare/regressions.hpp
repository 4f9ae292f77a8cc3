// Regressions on three covariates: eight models with exact evidences.
#pragma once

#include <cmath>
#include <map>
#include <memory>
#include <vector>

#include "evident/base/log_math.hpp"
#include "evident/compare/compare.hpp"
#include "models/regression/regression_family.hpp"
#include "models/regression/simulate.hpp"

namespace evident {

inline std::shared_ptr<const RegressionFamily> regressions() {
  RegressionTruth truth;
  truth.coefficients = {0.6, 0, -0.4};
  const RegressionTable table = simulate_regression(truth, 25, Streams({.seed = 3}));
  return std::make_shared<RegressionFamily>(std::make_shared<RegressionData>(table.y, table.columns),
                                            RegressionOptions{});
}

inline std::map<std::string, double> exact_probabilities(const RegressionFamily& family) {
  std::vector<double> log_joint;
  for (ModelIndex k = 0; k < 8; ++k)
    log_joint.push_back(family.prior().log_probability(k) + family.regression(k).exact_log_evidence());
  const double total = log_sum_exp(log_joint);
  std::map<std::string, double> out;
  for (ModelIndex k = 0; k < 8; ++k) out[family.name(k)] = std::exp(log_joint[k] - total);
  return out;
}

/// Two of the models, each on its own.
inline std::vector<Candidate> regression_candidates() {
  const auto family = regressions();
  const auto shared = [&](ModelIndex k) { return std::shared_ptr<const Model>(family, &family->model(k)); };
  return {{"none", 1, shared(0), {}}, {"x1", 1, shared(1), {}}};
}

}  // namespace evident
