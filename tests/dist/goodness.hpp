// Do draws follow a distribution function? p-values for tests with fixed seeds.
#pragma once

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <functional>
#include <map>
#include <vector>

namespace evident::goodness {

/// Kolmogorov-Smirnov: probability of a larger distance, by the asymptotic series with Stephens' correction.
inline double ks_p_value(std::vector<double> x, const std::function<double(double)>& cdf) {
  std::sort(x.begin(), x.end());
  const double n = static_cast<double>(x.size());
  double distance = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double p = cdf(x[i]);
    distance = std::max({distance, p - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - p});
  }
  const double lambda = (std::sqrt(n) + 0.12 + 0.11 / std::sqrt(n)) * distance;
  double p = 0;
  for (int k = 1; k <= 100; ++k) p += (k % 2 == 1 ? 2 : -2) * std::exp(-2.0 * k * k * lambda * lambda);
  return lambda < 0.2 ? 1.0 : p;
}

/// Chi-square over cells of whole numbers, each with at least `least` expected draws; cells end where the distribution
/// function has grown enough.
inline double chi_square_p_value(const std::vector<double>& x, const std::function<double(double)>& cdf,
                                 double least = 200) {
  std::map<double, double> count;
  for (const double value : x) ++count[value];
  const double n = static_cast<double>(x.size());
  double statistic = 0, below = 0, observed = 0;
  int cells = 0;
  for (const auto& [value, times] : count) {
    observed += times;
    const double p = cdf(value);
    // The last cell takes all that is left.
    const bool is_last = (1 - p) * n < least;
    const double expected = n * ((is_last ? 1 : p) - below);
    if (!is_last && expected < least) continue;
    if (is_last) {
      observed = 0;
      for (auto rest = count.rbegin(); rest != count.rend() && cdf(rest->first) > below; ++rest)
        observed += rest->second;
    }
    statistic += (observed - expected) * (observed - expected) / expected;
    ++cells;
    below = p;
    observed = 0;
    if (is_last) break;
  }
  if (cells < 2) return 0;
  return boost::math::cdf(boost::math::complement(boost::math::chi_squared(cells - 1), statistic));
}

}  // namespace evident::goodness
