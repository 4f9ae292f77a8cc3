// Is the mean of independent estimates where it should be?
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/statistics.hpp"

namespace evident {

struct MeanError {
  double mean = 0, standard_error = 0, sd = 0;
};

inline MeanError mean_error(const std::vector<double>& x) {
  return {.mean = mean(x), .standard_error = error_of_mean(x), .sd = standard_deviation(x)};
}

/// Within three standard errors, plus a bias that is known to be there. Seeds are fixed, so it fails always or never.
inline void expect_mean(const std::vector<double>& x, double exact, const std::string& what, double slack = 0) {
  const MeanError m = mean_error(x);
  EXPECT_NEAR(m.mean, exact, 3 * m.standard_error + slack) << what << ", standard error " << m.standard_error;
}

}  // namespace evident
