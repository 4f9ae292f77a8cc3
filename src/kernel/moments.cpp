#include "kernel/moments.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "base/vector_math.hpp"

namespace evident {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// A coordinate that does not vary still gets a proposal, too small to matter.
double safe_sd(double variance, double mean) {
  if (std::isfinite(variance) && variance > 0) return std::sqrt(variance);
  return std::isfinite(mean) ? 1e-8 * std::max(std::abs(mean), 1e-8) : 1e-8;
}

}  // namespace

std::vector<double> covariance_root(const Population& x, std::span<const std::size_t> rows) {
  const std::size_t d = rows.size();
  std::vector<const double*> coordinates;
  for (const std::size_t r : rows) coordinates.push_back(x.z.row(r).data());
  const double* weights = x.weights.values().data();
  std::vector<double> mean(d), second(d * d), sd(d);
  vector_math::weighted_mean(weights, coordinates.data(), d, x.size(), mean.data());
  vector_math::weighted_second(weights, coordinates.data(), mean.data(), d, x.size(), second.data());
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

}  // namespace evident
