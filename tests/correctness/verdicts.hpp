// Many tests at once: which p-values are too small to be chance?
//
//   const std::vector<double> adjusted = holm(p_values);     // all above 0.01: nothing was found at a level of 1 %
#pragma once

#include <vector>

namespace evident::correctness {

/// Two-sided p-value of a standard normal number.
double normal_p_value(double z);
/// The same for a standard error that is known from few numbers.
double student_p_value(double t, double degrees);
/// Probability of a larger chi-squared statistic.
double chi_squared_p_value(double statistic, double degrees);
/// Holm's adjustment: the chance that any of them is so small when all hypotheses hold is at most the level, however
/// the tests depend on each other. NaN counts as 0: a test that could not be made is not passed.
std::vector<double> holm(const std::vector<double>& p_values);
/// The smallest of holm(): what the whole list is judged by. 1 for an empty list.
double smallest_adjusted(const std::vector<double>& p_values);

/// Mean of independent numbers, and its standard error.
struct MeanOf {
  double mean = 0, error = 0;
};
MeanOf mean_of(const std::vector<double>& x);

}  // namespace evident::correctness
