// Special functions that stay accurate where the textbook formula cancels.
#pragma once

namespace evident::dist {

/// log Gamma(x) for x > 0. Unlike std::lgamma it writes no global, so threads may share it.
double log_gamma(double x);

/// What Stirling's formula misses: log n! - [(n + 1/2) log n - n + log(2 pi)/2], for n > 0.
double stirling_error(double n);

/// x log(x/m) + m - x, without cancellation when x is near m; x > 0, m > 0 (Loader 2000).
double deviance(double x, double m);

/// log of the beta function, without cancellation for large arguments.
double log_beta(double a, double b);

/// log of the Mills ratio (1 - Phi(a)) / phi(a), for any a.
double log_mills(double a);

/// log of (Phi(b) - Phi(a)) / phi(r), where r is the point of [a, b] nearest to zero. `width` is b - a, given because
/// far from zero a and b may have too few digits to tell.
double log_scaled_normal_mass(double a, double b, double width);

/// log(1 + t^2), also when t^2 overflows.
double log1p_square(double t);

}  // namespace evident::dist
