// Densities and gradients of the linear regression: loops over particles inside, so that they run on SIMD lanes. From
// sufficient statistics a likelihood costs d^2 / 2 multiplications, whatever the number of observations.
#include <algorithm>
#include <cmath>

#include "base/vector_math.hpp"
#include "evident/base/log_math.hpp"
#include "models/regression/linear_regression.hpp"

namespace evident {
namespace {

/// The logarithms of the precisions, and room for one more row.
struct Rows {
  explicit Rows(ConstBlock theta) : log_precision(theta.padded_size()), work(theta.padded_size()) {
    vector_math::log(theta.row_data(0), log_precision.data(), theta.size());
  }
  AlignedVector<double> log_precision, work;
};

}  // namespace

void LinearRegression::log_likelihood(ConstBlock theta, std::span<double> out) const {
  const std::size_t n = theta.size(), d = columns_.size();
  Rows rows(theta);
  double* inner = rows.work.data();
  std::fill_n(out.begin(), n, rest_);
  for (std::size_t i = 0; i < d; ++i) {
    const double* ci = theta.row_data(1 + i);
    const double own = gram_[i * d + i];
    for (std::size_t p = 0; p < n; ++p) inner[p] = own * (ci[p] - centre_[i]) - 2 * slope_[i];
    for (std::size_t j = 0; j < i; ++j) {
      const double* cj = theta.row_data(1 + j);
      const double twice = 2 * gram_[i * d + j], middle = centre_[j];
      for (std::size_t p = 0; p < n; ++p) inner[p] += twice * (cj[p] - middle);
    }
    for (std::size_t p = 0; p < n; ++p) out[p] += inner[p] * (ci[p] - centre_[i]);
  }
  const double half = 0.5 * static_cast<double>(data_->rows());
  const double* precision = theta.row_data(0);
  for (std::size_t p = 0; p < n; ++p)
    out[p] = half * (rows.log_precision[p] - kLog2Pi) - 0.5 * precision[p] * std::max(out[p], 0.0);
}

void LinearRegression::log_likelihood_of(ConstBlock theta, std::size_t first, std::size_t count,
                                         std::span<double> out) const {
  const std::size_t n = theta.size();
  Rows rows(theta);
  double* residual = rows.work.data();
  std::fill_n(out.begin(), n, 0.0);
  for (std::size_t i = first; i < first + count; ++i) {
    std::fill_n(residual, n, data_->response()[i]);
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const double x = data_->column(columns_[c])[i];
      const double* coefficient = theta.row_data(1 + c);
      for (std::size_t p = 0; p < n; ++p) residual[p] -= x * coefficient[p];
    }
    for (std::size_t p = 0; p < n; ++p) out[p] += residual[p] * residual[p];
  }
  const double half = 0.5 * static_cast<double>(count);
  const double* precision = theta.row_data(0);
  for (std::size_t p = 0; p < n; ++p) out[p] = half * (rows.log_precision[p] - kLog2Pi) - 0.5 * precision[p] * out[p];
}

void LinearRegression::log_prior(ConstBlock theta, std::span<double> out) const {
  const std::size_t n = theta.size();
  Rows rows(theta);
  double* square = rows.work.data();
  std::fill_n(square, n, 0.0);
  double constant = -0.5 * kLog2Pi * static_cast<double>(columns_.size());
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const double weight = 1 / (prior_scale_[c] * prior_scale_[c]);
    const double* x = theta.row_data(1 + c);
    for (std::size_t p = 0; p < n; ++p) square[p] += weight * x[p] * x[p];
    constant -= std::log(prior_scale_[c]);
  }
  const double half = 0.5 * static_cast<double>(columns_.size());
  const double* precision = theta.row_data(0);
  std::fill_n(out.begin(), n, 0.0);
  precision_.add_log_density(theta.row(0), out.first(n));
  for (std::size_t p = 0; p < n; ++p) {
    const double normal = constant + half * rows.log_precision[p] - 0.5 * precision[p] * square[p];
    out[p] = precision[p] > 0 ? out[p] + normal : -kInf;
  }
}

void LinearRegression::gradient(ConstBlock theta, Block d_log_prior, Block d_log_likelihood) const {
  const std::size_t n = theta.size(), d = columns_.size();
  const double half_d = 0.5 * static_cast<double>(d), half_n = 0.5 * static_cast<double>(data_->rows());
  const double *precision = theta.row_data(0), shape = options_.precision_shape, rate = options_.precision_rate;
  double *prior = d_log_prior.row_data(0), *likelihood = d_log_likelihood.row_data(0);
  for (std::size_t p = 0; p < n; ++p) prior[p] = (shape - 1 + half_d) / precision[p] - rate;
  std::fill_n(likelihood, n, -0.5 * rest_);
  for (std::size_t i = 0; i < d; ++i) {
    const double* ci = theta.row_data(1 + i);
    const double weight = 1 / (prior_scale_[i] * prior_scale_[i]);
    double *to_prior = d_log_prior.row_data(1 + i), *to = d_log_likelihood.row_data(1 + i);
    std::fill_n(to, n, -slope_[i]);
    for (std::size_t j = 0; j < d; ++j) {
      const double* cj = theta.row_data(1 + j);
      for (std::size_t p = 0; p < n; ++p) to[p] += gram_[i * d + j] * (cj[p] - centre_[j]);
    }
    for (std::size_t p = 0; p < n; ++p) {
      prior[p] -= 0.5 * weight * ci[p] * ci[p];
      to_prior[p] = -precision[p] * weight * ci[p];
      likelihood[p] -= 0.5 * (ci[p] - centre_[i]) * (to[p] - slope_[i]);
      to[p] *= -precision[p];
    }
  }
  for (std::size_t p = 0; p < n; ++p) likelihood[p] += half_n / precision[p];
}

}  // namespace evident
