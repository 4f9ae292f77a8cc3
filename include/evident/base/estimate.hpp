// A number with its standard error: a log evidence by any method, a probability, a mean of draws.
//
//   const Estimate z{.value = -10.2, .standard_error = 0.1, .degrees = 7};
//   z.interval().lower;                                     // 95 %, by Student's t with 7 degrees of freedom
#pragma once

#include <cmath>

#include "evident/base/log_math.hpp"

namespace evident {

/// 95 %. Both ends are NaN when an error that matters is not known.
struct Interval {
  double lower = kNaN, upper = kNaN;

  bool holds(double x) const { return lower <= x && x <= upper; }
};

struct Estimate {
  double value = kNaN;
  double standard_error = kNaN;  ///< NaN when it is not known
  double degrees = kInf;         ///< degrees of freedom of the standard error: runs - 1; infinity: it is exact
  /// Where the law of the error is skewed: what stands in place of the standard error towards lower values, and towards
  /// higher ones. NaN: the standard error, on both sides.
  double error_below = kNaN, error_above = kNaN;

  double below() const { return std::isnan(error_below) ? standard_error : error_below; }
  double above() const { return std::isnan(error_above) ? standard_error : error_above; }
  /// Are both the value and its error finite?
  bool known() const;
  /// NaN where the value or the error is not finite.
  Interval interval() const;
};

/// So many standard errors on either side make a 95 % interval.
double quantile_of_interval(double degrees);

/// Weighted by the inverse of the variances; degrees of freedom by Satterthwaite. One without error is the answer.
Estimate combine(const Estimate& a, const Estimate& b);

}  // namespace evident
