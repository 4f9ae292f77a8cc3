// The evidence from several independent unbiased estimates of it ("islands"), with an error that can be believed.
//
//   const Estimate e = island_evidence(log_evidences);           // of R frozen runs, smc/frozen.hpp
//   e.value;                                                     // log of the mean evidence
//   e.interval().lower;                                          // of the 95 % interval
//
// The mean is taken of the evidences, not of their logarithms: an unbiased estimate has a logarithm that is too low by
// about half its variance.
//
// Standard error. The logarithm of such an estimate is close to normal, so the evidences are close to log-normal, and
// with a spread of one or more their own standard deviation is useless: it rests on the few largest, and for log
// evidences with a standard deviation of 1.5 the interval made from it covers 79 % (R = 8). With s^2 the variance
// of the log evidences, the log of the mean of a log-normal distribution is mean + s^2/2, whose variance is
//   s^2 / R + s^4 / (2 (R - 1))     (Cox; with a t quantile in place of a normal one: Olsson 2005).
// The interval is log Z -+ t(R - 1) x its root. By simulation it covers 91 to 95 % for standard deviations of
// the log evidence from 0.05 to 1.5 and R from 2 to 64; the test of this header repeats that.
//
// One-run variances. A variance of log Z estimated inside each run may be given too. It sees the noise of the weights
// but not slow mixing, so it is often too small and never replaces the spread of the islands: s^2 is the larger of
// their variance and the mean of the one-run variances. That helps when few islands agree by chance. A single island
// has nothing else: then s^2 is its one-run variance with a normal quantile, and without one the error is NaN.
//
// An island with evidence 0 (log -inf) counts as such; the standard error is then that of the evidences themselves.
#pragma once

#include <span>

#include "evident/base/estimate.hpp"

namespace evident {

/// `one_run_variances` is empty or as long as `log_evidences`; entries that are not finite are left out. Throws
/// InputError when there is no island, when the lengths differ, or when a log evidence is NaN or +inf.
Estimate island_evidence(std::span<const double> log_evidences, std::span<const double> one_run_variances = {});

}  // namespace evident
