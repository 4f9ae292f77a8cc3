#include "dist/scale_root.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>

namespace evident::dist {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Coordinates are scaled to unit variance before; a component may be narrower than the whole by this factor.
constexpr double kLeastVariance = 1e-10;

// The estimated correlations' noise over their size: nothing of them is believed when it is one.
double shrinkage(const Matrix& correlation, double effective) {
  double noise = 0, size = 0;
  for (Eigen::Index a = 0; a < correlation.rows(); ++a)
    for (Eigen::Index b = 0; b < a; ++b) {
      const double square = correlation(a, b) * correlation(a, b);
      noise += (1 - square) * (1 - square) / std::max(1.0, effective);
      size += square;
    }
  return size > 0 ? std::min(1.0, noise / size) : 1.0;
}

}  // namespace

std::vector<double> scale_root(const std::vector<double>& second, std::size_t d, double effective, double& shrunk) {
  std::vector<double> sd(d);
  for (std::size_t j = 0; j < d; ++j) sd[j] = std::sqrt(std::max(second[j * d + j], kLeastVariance));
  const auto size = static_cast<Eigen::Index>(d);
  Matrix correlation = Matrix::Identity(size, size);
  for (std::size_t a = 0; a < d; ++a)
    for (std::size_t b = 0; b < a; ++b)
      correlation(a, b) = correlation(b, a) = std::clamp(second[a * d + b] / (sd[a] * sd[b]), -1.0, 1.0);

  shrunk = std::max(shrunk, shrinkage(correlation, effective));
  std::vector<double> root(d * d, 0.0);
  for (const double extra : {0.0, 1e-9, 1e-6, 1e-3, 0.1, 1.0}) {
    Matrix believed = (1 - std::max(shrunk, extra)) * correlation;
    believed.diagonal().setOnes();
    const Eigen::LLT<Matrix> factor(believed);
    if (factor.info() != Eigen::Success || !(factor.matrixLLT().diagonal().minCoeff() >= 1e-6)) continue;
    for (std::size_t a = 0; a < d; ++a)
      for (std::size_t b = 0; b <= a; ++b) root[a * d + b] = sd[a] * factor.matrixLLT()(a, b);
    return root;
  }
  for (std::size_t a = 0; a < d; ++a) root[a * d + a] = sd[a];
  return root;
}

std::vector<double> inverse_root(const std::vector<double>& root, std::size_t d) {
  const auto size = static_cast<Eigen::Index>(d);
  const Eigen::Map<const Matrix> lower(root.data(), size, size);
  std::vector<double> inverse(d * d);
  Eigen::Map<Matrix>(inverse.data(), size, size) =
      lower.triangularView<Eigen::Lower>().solve(Matrix::Identity(size, size));
  return inverse;
}

}  // namespace evident::dist
