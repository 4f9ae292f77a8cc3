#include "correctness/verdicts.hpp"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>

namespace evident::correctness {

double normal_p_value(double z) { return std::isnan(z) ? 0 : std::erfc(std::abs(z) / std::sqrt(2.0)); }

double student_p_value(double t, double degrees) {
  if (!std::isfinite(t)) return 0;
  return 2 * boost::math::cdf(boost::math::complement(boost::math::students_t(degrees), std::abs(t)));
}

double chi_squared_p_value(double statistic, double degrees) {
  return boost::math::cdf(boost::math::complement(boost::math::chi_squared(degrees), statistic));
}

std::vector<double> holm(const std::vector<double>& p_values) {
  std::vector<double> p = p_values;
  for (double& v : p)
    if (std::isnan(v)) v = 0;
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return p[i]; });
  double largest = 0;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    double& v = p[order[rank]];
    largest = std::max(largest, v * static_cast<double>(order.size() - rank));
    v = std::min(largest, 1.0);
  }
  return p;
}

double smallest_adjusted(const std::vector<double>& p_values) {
  const std::vector<double> adjusted = holm(p_values);
  return adjusted.empty() ? 1 : std::ranges::min(adjusted);
}

MeanOf mean_of(const std::vector<double>& x) {
  MeanOf out;
  const auto n = static_cast<double>(x.size());
  double squares = 0;
  for (const double v : x) out.mean += v / n;
  for (const double v : x) squares += (v - out.mean) * (v - out.mean);
  out.error = std::sqrt(squares / (n * (n - 1)));
  return out;
}

}  // namespace evident::correctness
