// Is the mean of independent estimates where it should be?
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace evident {

struct MeanError {
  double mean = 0, error = 0, sd = 0;
};

inline MeanError mean_error(const std::vector<double>& x) {
  MeanError out;
  double squares = 0;
  const auto n = static_cast<double>(x.size());
  for (const double v : x) out.mean += v / n;
  for (const double v : x) squares += (v - out.mean) * (v - out.mean);
  out.sd = std::sqrt(squares / (n - 1));
  out.error = out.sd / std::sqrt(n);
  return out;
}

/// Within three standard errors, plus a bias that is known to be there. Seeds are fixed, so it fails always or never.
inline void expect_mean(const std::vector<double>& x, double exact, const std::string& what, double slack = 0) {
  const MeanError m = mean_error(x);
  EXPECT_NEAR(m.mean, exact, 3 * m.error + slack) << what << ", standard error " << m.error;
}

}  // namespace evident
