#include "base/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "evident/base/log_math.hpp"

namespace evident {

double mean(std::span<const double> x) {
  double sum = 0;
  for (const double v : x) sum += v / static_cast<double>(x.size());
  return sum;
}

double variance(std::span<const double> x) {
  if (x.size() < 2) return kNaN;
  const double centre = mean(x);
  double squares = 0;
  for (const double v : x) squares += (v - centre) * (v - centre);
  return squares / static_cast<double>(x.size() - 1);
}

double standard_deviation(std::span<const double> x) { return std::sqrt(variance(x)); }

double error_of_mean(std::span<const double> x) { return std::sqrt(variance(x) / static_cast<double>(x.size())); }

double median(std::vector<double> x) {
  std::ranges::sort(x);
  const std::size_t n = x.size();
  return n % 2 == 1 ? x[n / 2] : 0.5 * (x[n / 2 - 1] + x[n / 2]);
}

namespace {

double total(std::span<const double> weights) { return std::accumulate(weights.begin(), weights.end(), 0.0); }

}  // namespace

double weighted_mean(std::span<const double> values, std::span<const double> weights) {
  const double all = total(weights);
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (weights[i] > 0) sum += weights[i] / all * values[i];
  return sum;
}

double weighted_standard_deviation(std::span<const double> values, std::span<const double> weights) {
  const double all = total(weights), centre = weighted_mean(values, weights);
  double squares = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (weights[i] > 0) squares += weights[i] / all * (values[i] - centre) * (values[i] - centre);
  return std::sqrt(squares);
}

std::vector<double> weighted_quantiles(std::span<const double> values, std::span<const double> weights,
                                       std::span<const double> shares) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::less{}, [&](std::size_t i) { return values[i]; });
  const double all = total(weights);
  std::vector<double> out;
  for (const double p : shares) {
    double sum = 0;
    const auto reached = [&](std::size_t i) { return (sum += weights[i]) >= p * all; };
    const auto at = std::ranges::find_if(order, reached);
    out.push_back(values[at == order.end() ? order.back() : *at]);
  }
  return out;
}

}  // namespace evident
