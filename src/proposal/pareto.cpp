#include "proposal/pareto.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "evident/base/log_math.hpp"

namespace evident {
namespace {

// Zhang and Stephens' estimate of k from exceedances in increasing order, with the weak prior of Vehtari et al.
double shape(const std::vector<double>& x) {
  const std::size_t n = x.size();
  const auto size = static_cast<double>(n);
  const auto points = static_cast<std::size_t>(30 + std::sqrt(size));
  const double quarter = x[(n + 2) / 4 - 1];
  std::vector<double> theta, log_likelihood;
  const auto k_at = [&](double b) {
    double sum = 0;
    for (const double v : x) sum += std::log1p(-b * v);
    return sum / size;
  };
  for (std::size_t j = 1; j <= points; ++j) {
    const double b =
        1 / x.back() + (1 - std::sqrt(static_cast<double>(points) / (static_cast<double>(j) - 0.5))) / (3 * quarter);
    const double k = k_at(b);
    theta.push_back(b);
    log_likelihood.push_back(size * (std::log(-b / k) - k - 1));
  }
  const double total = log_sum_exp(log_likelihood);
  double mean = 0;
  for (std::size_t j = 0; j < points; ++j) mean += theta[j] * std::exp(log_likelihood[j] - total);
  return (k_at(mean) * size + 0.5 * 10) / (size + 10);
}

}  // namespace

double pareto_shape(std::span<const double> log_weights) {
  std::vector<double> sorted;
  for (const double l : log_weights)
    if (l > -kInf) sorted.push_back(l);
  const auto all = static_cast<double>(log_weights.size());
  const auto tail = static_cast<std::size_t>(std::min(0.2 * all, 3 * std::sqrt(all)));
  if (tail < 5 || sorted.size() <= tail) return kInf;
  const auto cutoff = sorted.end() - static_cast<std::ptrdiff_t>(tail) - 1;
  std::nth_element(sorted.begin(), cutoff, sorted.end());
  std::sort(cutoff, sorted.end());  // the tail alone need be in order
  const double top = sorted.back(), cut = std::exp(sorted[sorted.size() - tail - 1] - top);
  std::vector<double> x;
  for (std::size_t i = sorted.size() - tail; i < sorted.size(); ++i) x.push_back(std::exp(sorted[i] - top) - cut);
  if (!(x.back() > 1e-12)) return -kInf;  // all the same: no tail at all
  for (double& v : x) v = std::max(v, 1e-300);
  const double k = shape(x);
  return std::isnan(k) ? kInf : k;
}

}  // namespace evident
