// Mean, standard deviation and quantiles of a few numbers, with weights and without.
//
//   standard_deviation(std::vector<double>{1, 2, 3});      // 1, with n - 1 in the denominator
//   weighted_quantiles(values, weights, std::array{0.05, 0.5, 0.95});
#pragma once

#include <span>
#include <vector>

namespace evident {

double mean(std::span<const double> x);
/// With n - 1 in the denominator; NaN for fewer than two values.
double variance(std::span<const double> x);
double standard_deviation(std::span<const double> x);
/// The same with n in the denominator.
double sd_of_all(std::span<const double> x);
/// Of the mean of independent values: their standard deviation over the root of their number.
double error_of_mean(std::span<const double> x);
double median(std::vector<double> x);
/// Between two values where it falls between them; NaN when there are none.
double quantile_of_sorted(std::span<const double> sorted, double share);
/// The value that a share of `x` lies below. Changes the order of `x`.
double value_above_share(std::span<double> x, double share);

// Of values with weights, which need not add up to 1. Values without weight do not count.
double weighted_mean(std::span<const double> values, std::span<const double> weights);
/// With the sum of the weights in the denominator.
double weighted_standard_deviation(std::span<const double> values, std::span<const double> weights);
/// For each share p the smallest value at which the sum of the weights reaches p of their total.
std::vector<double> weighted_quantiles(std::span<const double> values, std::span<const double> weights,
                                       std::span<const double> shares);

}  // namespace evident
