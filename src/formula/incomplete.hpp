// Logarithms of the incomplete gamma and beta functions, for the tails of distributions; never NaN for arguments in
// their range, however far out.
#pragma once

namespace evident::formula {

/// log P(a, x) and log Q(a, x), the shares below and above x of a gamma distribution with shape a > 0 and rate 1.
double log_gamma_below(double a, double x);
double log_gamma_above(double a, double x);
/// log I_x(a, b), the share below x of a beta distribution.
double log_beta_below(double a, double b, double x);

/// Their slopes in a (and in b), by central differences.
double slope_gamma_below(double a, double x);
double slope_gamma_above(double a, double x);
double slope_beta_below_a(double a, double b, double x);
double slope_beta_below_b(double a, double b, double x);

}  // namespace evident::formula
