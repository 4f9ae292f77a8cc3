#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "dist/multivariate.hpp"
#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"

namespace evident {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

void check_shape(const std::vector<double>& mean, const std::vector<double>& covariance) {
  const std::size_t n = mean.size();
  if (n == 0) throw InputError("multivariate normal: the mean is empty");
  if (covariance.size() != n * n) {
    throw InputError("multivariate normal: a mean of " + std::to_string(n) + " needs a covariance of " +
                     std::to_string(n * n) + " numbers, was given " + std::to_string(covariance.size()));
  }
  const auto finite = [](double v) { return std::isfinite(v); };
  if (!std::ranges::all_of(mean, finite) || !std::ranges::all_of(covariance, finite)) {
    throw InputError("multivariate normal: mean and covariance must be finite");
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double a = covariance[i * n + j], b = covariance[j * n + i];
      const double size = std::sqrt(std::abs(covariance[i * n + i] * covariance[j * n + j]));
      if (std::abs(a - b) > 1e-10 * size) {
        throw InputError("multivariate normal: the covariance is not symmetric in row " + std::to_string(i + 1) +
                         ", column " + std::to_string(j + 1));
      }
    }
  }
}

/// Column i of x turned into L^-1 (x - mean); w holds `count` particles a row. Rows in order, lanes are particles.
void whiten(ConstBlock x, const std::vector<double>& mean, const std::vector<double>& cholesky, Block w) {
  const std::size_t n = mean.size(), count = x.size();
  for (std::size_t i = 0; i < n; ++i) {
    double* row = w.row_data(i);
    const double* source = x.row_data(i);
    for (std::size_t k = 0; k < count; ++k) row[k] = source[k] - mean[i];
    for (std::size_t j = 0; j < i; ++j) {
      const double factor = cholesky[i * n + j];
      const double* other = w.row_data(j);
      for (std::size_t k = 0; k < count; ++k) row[k] -= factor * other[k];
    }
    const double inverse = 1 / cholesky[i * n + i];
    for (std::size_t k = 0; k < count; ++k) row[k] *= inverse;
  }
}

}  // namespace

MultivariateNormal::MultivariateNormal(std::vector<double> mean, std::vector<double> covariance)
    : mean_(std::move(mean)), cholesky_(covariance.size(), 0.0) {
  check_shape(mean_, covariance);
  const auto n = static_cast<Eigen::Index>(mean_.size());
  const Eigen::LLT<RowMajor> factor(Eigen::Map<const RowMajor>(covariance.data(), n, n));
  const RowMajor lower = factor.matrixL();
  if (factor.info() != Eigen::Success || !(lower.diagonal().minCoeff() > 0)) {
    throw InputError("multivariate normal: the covariance is not positive definite");
  }
  Eigen::Map<RowMajor>(cholesky_.data(), n, n) = lower;
  log_constant_ = -0.5 * kLog2Pi * static_cast<double>(n) - lower.diagonal().array().log().sum();
}

void MultivariateNormal::draw(Stream& stream, std::span<double> out) const {
  const std::size_t n = size();
  for (double& z : out) z = stream.normal();
  // From the last row up, so that each z is still there when it is needed.
  for (std::size_t i = n; i-- > 0;) {
    double sum = 0;
    for (std::size_t j = 0; j <= i; ++j) sum += cholesky_[i * n + j] * out[j];
    out[i] = mean_[i] + sum;
  }
}

double MultivariateNormal::log_density(std::span<const double> x) const {
  const std::size_t n = size();
  std::vector<double> w(n);
  double square = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double sum = x[i] - mean_[i];
    for (std::size_t j = 0; j < i; ++j) sum -= cholesky_[i * n + j] * w[j];
    w[i] = sum / cholesky_[i * n + i];
    square += w[i] * w[i];
  }
  return std::isnan(square) ? -kInf : log_constant_ - 0.5 * square;
}

void MultivariateNormal::add_log_density(ConstBlock x, std::span<double> out) const {
  BlockStorage storage(size(), x.size());
  const Block w = storage.block();
  whiten(x, mean_, cholesky_, w);
  for (std::size_t k = 0; k < x.size(); ++k) {
    double square = 0;
    for (std::size_t i = 0; i < size(); ++i) square += w(i, k) * w(i, k);
    out[k] += std::isnan(square) ? -kInf : log_constant_ - 0.5 * square;
  }
}

void MultivariateNormal::add_gradient(ConstBlock x, Block gradient) const {
  const std::size_t n = size(), count = x.size();
  BlockStorage storage(n, count);
  const Block w = storage.block();
  whiten(x, mean_, cholesky_, w);
  // The gradient is -L^-T w: solve upwards.
  for (std::size_t i = n; i-- > 0;) {
    double* row = w.row_data(i);
    for (std::size_t j = i + 1; j < n; ++j) {
      const double factor = cholesky_[j * n + i];
      const double* other = w.row_data(j);
      for (std::size_t k = 0; k < count; ++k) row[k] -= factor * other[k];
    }
    const double inverse = 1 / cholesky_[i * n + i];
    for (std::size_t k = 0; k < count; ++k) row[k] *= inverse;
    for (std::size_t k = 0; k < count; ++k) gradient(i, k) -= row[k];
  }
}

}  // namespace evident
