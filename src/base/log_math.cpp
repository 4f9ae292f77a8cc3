#include "evident/base/log_math.hpp"

#include <algorithm>

namespace evident {

double log_sum_exp(std::span<const double> x) {
  const double top = x.empty() ? -kInf : *std::max_element(x.begin(), x.end());
  if (!std::isfinite(top)) return top;
  double sum = 0;
  for (const double v : x) sum += std::exp(v - top);
  return top + std::log(sum);
}

double log_mean_exp(std::span<const double> x) { return log_sum_exp(x) - std::log(static_cast<double>(x.size())); }

double log_add_exp(double a, double b) {
  const double top = std::max(a, b);
  return std::isfinite(top) ? top + std::log1p(std::exp(-std::abs(a - b))) : top;
}

}  // namespace evident
