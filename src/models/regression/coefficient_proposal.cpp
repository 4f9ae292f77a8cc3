#include <algorithm>
#include <cmath>

#include "evident/base/log_math.hpp"
#include "models/regression/jumps.hpp"

namespace evident::regression {

void insert_value(std::span<const double> from, std::size_t place, double value, std::span<double> to) {
  std::copy_n(from.begin(), place, to.begin());
  to[place] = value;
  std::copy(from.begin() + static_cast<std::ptrdiff_t>(place), from.end(),
            to.begin() + static_cast<std::ptrdiff_t>(place) + 1);
}

void erase_value(std::span<const double> from, std::size_t place, std::span<double> to) {
  std::copy_n(from.begin(), place, to.begin());
  std::copy(from.begin() + static_cast<std::ptrdiff_t>(place) + 1, from.end(),
            to.begin() + static_cast<std::ptrdiff_t>(place));
}

CoefficientProposal::CoefficientProposal(const RegressionData& data, const RegressionOptions& options,
                                         CovariateSet rest, std::size_t j, std::span<const double> theta) {
  const double s = options.coefficient_scale, sigma = 1 / std::sqrt(theta[0]);
  double slope = data.product_with_response(1 + j) - data.product(1 + j, 0) * theta[1];  // x_j' (y - A c)
  std::size_t row = 2;
  for (CovariateSet left = rest; left != 0; left &= left - 1)
    slope -= data.product(1 + j, 1 + static_cast<std::size_t>(std::countr_zero(left))) * theta[row++];
  const double weight = data.product(1 + j, 1 + j) + 1 / (s * s);
  mean_ = slope / weight;
  sd_ = sigma / std::sqrt(weight);
  prior_sd_ = s * sigma;
}

double CoefficientProposal::draw(Stream& random) const {
  const bool conditional = random.uniform() < 0.5;
  const double z = random.normal();
  return conditional ? mean_ + sd_ * z : prior_sd_ * z;
}

double CoefficientProposal::log_density(double x) const {
  const auto log_normal = [](double t, double sd) { return -0.5 * (kLog2Pi + t * t) - std::log(sd); };
  return log_add_exp(log_normal((x - mean_) / sd_, sd_), log_normal(x / prior_sd_, prior_sd_)) - std::log(2.0);
}

}  // namespace evident::regression
