// The 95 % interval for the mean of a log-normal law, from a few values.
//
//   const Interval i = log_normal_mean_interval(mean(logs), variance(logs), logs.size());   // of its logarithm
#pragma once

#include <cstddef>

#include "evident/base/estimate.hpp"

namespace evident {

/// Of mu + sigma^2 / 2, from the mean and the variance of `count` normal values, which must be 2 or more.
Interval log_normal_mean_interval(double mean, double variance, std::size_t count);

}  // namespace evident
