#include "kernel/moments.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/vector_math.hpp"
#include "evident/base/parallel.hpp"

namespace evident {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// A coordinate that does not vary still gets a proposal, too small to matter.
double safe_sd(double variance, double mean) {
  if (std::isfinite(variance) && variance > 0) return std::sqrt(variance);
  return std::isfinite(mean) ? 1e-8 * std::max(std::abs(mean), 1e-8) : 1e-8;
}

}  // namespace

RowMoments row_moments(const Population& x, std::span<const std::size_t> rows, Range range) {
  const std::size_t d = rows.size();
  std::vector<const double*> coordinates;
  for (const std::size_t r : rows) coordinates.push_back(x.z.row(r).data() + range.first);
  const double* weights = x.weights.values().data() + range.first;
  const std::size_t n = range.last - range.first;
  RowMoments m{std::accumulate(weights, weights + n, 0.0), std::vector<double>(d), std::vector<double>(d * d)};
  vector_math::weighted_mean(weights, coordinates.data(), d, n, m.mean.data());
  for (double& v : m.mean) v /= m.share;
  vector_math::weighted_second(weights, coordinates.data(), m.mean.data(), d, n, m.second.data());
  for (double& v : m.second) v /= m.share;
  return m;
}

RowMoments pooled(const RowMoments& a, const RowMoments& b) {
  const std::size_t d = a.mean.size();
  RowMoments m{a.share + b.share, std::vector<double>(d), std::vector<double>(d * d)};
  const double p = a.share / m.share, q = b.share / m.share;
  for (std::size_t j = 0; j < d; ++j) m.mean[j] = p * a.mean[j] + q * b.mean[j];
  for (std::size_t j = 0; j < d; ++j)
    for (std::size_t k = 0; k <= j; ++k)
      m.second[j * d + k] =
          p * a.second[j * d + k] + q * b.second[j * d + k] + p * q * (a.mean[j] - b.mean[j]) * (a.mean[k] - b.mean[k]);
  return m;
}

std::vector<double> covariance_root(const RowMoments& moments) {
  const auto& [share, mean, second] = moments;
  const std::size_t d = mean.size();
  std::vector<double> sd(d);
  for (std::size_t j = 0; j < d; ++j) sd[j] = safe_sd(second[j * d + j], mean[j]);

  // On the scale of correlations degeneracy does not depend on units.
  Matrix correlation = Matrix::Identity(static_cast<Eigen::Index>(d), static_cast<Eigen::Index>(d));
  for (std::size_t a = 0; a < d; ++a)
    for (std::size_t b = 0; b < a; ++b) {
      const double r = second[a * d + b] / (sd[a] * sd[b]);
      correlation(a, b) = correlation(b, a) = std::isfinite(r) ? std::clamp(r, -1.0, 1.0) : 0.0;
    }
  for (const double shrink : {0.0, 1e-9, 1e-6, 1e-3, 0.1, 1.0}) {
    Matrix shrunk = (1 - shrink) * correlation;
    shrunk.diagonal().setOnes();
    const Eigen::LLT<Matrix> root(shrunk);
    if (root.info() != Eigen::Success || root.matrixLLT().diagonal().minCoeff() < 1e-6) continue;
    std::vector<double> lower(d * d, 0.0);
    for (std::size_t a = 0; a < d; ++a)
      for (std::size_t b = 0; b <= a; ++b) lower[a * d + b] = sd[a] * root.matrixLLT()(a, b);
    return lower;
  }
  std::vector<double> diagonal(d * d, 0.0);
  for (std::size_t a = 0; a < d; ++a) diagonal[a * d + a] = sd[a];
  return diagonal;
}

Halves::Halves(std::size_t particles, std::size_t dimension)
    : particles_(particles), middle_(block_count(particles) / 2), count_(1) {
  const std::size_t smaller = middle_ * kBlockSize;
  if (smaller >= 64 && smaller >= 10 * dimension) count_ = 2;
}

Range Halves::calibrating(std::size_t half) const {
  if (count_ == 1) return {0, particles_};
  const std::size_t middle = middle_ * kBlockSize;
  return half == 0 ? Range{middle, particles_} : Range{0, middle};
}

}  // namespace evident
