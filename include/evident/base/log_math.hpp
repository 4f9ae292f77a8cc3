// Sums and means of numbers that are kept as logarithms.
//
//   const std::vector<double> terms = {-1000, -1001};
//   const double log_sum = log_sum_exp(terms);  // -999.69; the sum of exp(-1000) and exp(-1001) would be 0
#pragma once

#include <cmath>
#include <limits>
#include <span>

namespace evident {

inline constexpr double kInf = std::numeric_limits<double>::infinity();
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kLog2Pi = 1.8378770664093454835606594728112;

/// log(sum exp(x)); -inf for an empty span or when all entries are -inf.
double log_sum_exp(std::span<const double> x);
/// log of the mean of exp(x).
double log_mean_exp(std::span<const double> x);
/// log(exp(a) + exp(b)).
double log_add_exp(double a, double b);

}  // namespace evident
