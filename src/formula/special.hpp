// Special functions that formulas need and the standard library lacks or has unsafe for threads.
#pragma once

namespace evident::formula {

/// log |Gamma(x)| for any x. Unlike std::lgamma it writes no global.
double log_gamma(double x);
/// Derivative of log |Gamma|.
double digamma(double x);
/// log of the standard normal distribution function, also where that underflows.
double log_normal_cdf(double x);

}  // namespace evident::formula
