// Observations from a linear regression with covariates that resemble each other.
//
//   const Streams streams({.seed = 1});
//   const RegressionTable table = simulate_regression({}, 60, streams);
//   RegressionData data(table.y, table.columns, table.names);
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "evident/base/random.hpp"

namespace evident {

/// Covariates are standard normal; those i apart have correlation `correlation`^i. With the defaults one effect is
/// plain, one moderate and one so weak that several subsets share the posterior.
struct RegressionTruth {
  double intercept = 1;
  std::vector<double> coefficients{0.7, 0, -0.4, 0.25, 0};  ///< one per covariate
  double noise_sd = 1;
  double correlation = 0.6;
};

struct RegressionTable {
  std::vector<std::string> names;            ///< x1, x2, ...
  std::vector<std::vector<double>> columns;  ///< one per covariate
  std::vector<double> y;
};

/// Row i depends on the streams and on i alone, so a longer table begins with the shorter one.
/// Throws InputError for a noise sd that is not positive, a correlation outside (-1, 1), or numbers that are not
/// finite.
RegressionTable simulate_regression(const RegressionTruth& truth, std::size_t observations, const Streams& streams);

}  // namespace evident
