// Samples over time: putting them in order, and values between and after them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "imaging/pet/blood/blood.hpp"

namespace evident::imaging {

/// Drops samples without a value, sorts, and averages those of the same time; `what` ("file: column") is for warnings.
BloodSeries ordered(std::span<const double> time, std::span<const double> value, const std::string& what,
                    std::vector<std::string>& warnings);

/// All samples of both; of two at the same time the one of `first` stays.
BloodSeries merged(const BloodSeries& first, const BloodSeries& second);

/// Linear between samples, constant outside. There must be a sample.
double linear_at(const BloodSeries& series, double time);

/// Monotone between samples: a cubic that never leaves the range of its two neighbours (Fritsch and Carlson, 1980);
/// constant outside.
class MonotoneCurve {
 public:
  explicit MonotoneCurve(BloodSeries samples);
  double operator()(double time) const;

 private:
  BloodSeries s_;
  std::vector<double> slope_;
};

/// One exponential through the end of a curve.
struct Tail {
  double value = 0, rate = 0;  ///< at the last sample; decline per second, 0 when the curve does not decline
  std::size_t samples = 0;     ///< that it was fitted to; below 2 there is no tail
};
/// Fitted by least squares of the logarithm to the samples above 0 in the second half of the time, at least the last 3.
Tail fit_tail(std::span<const double> time, std::span<const double> value);
/// Appends points of the tail up to `end`, close enough for straight lines between them.
void append_tail(std::vector<double>& time, std::vector<double>& value, double end, const Tail& tail);

}  // namespace evident::imaging
