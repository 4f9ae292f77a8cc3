#include "problems/conjugate.hpp"

#include <Eigen/Dense>
#include <cmath>

#include "evident/base/log_math.hpp"

namespace evident::problems {

Products products(std::span<const std::vector<double>> columns, std::span<const double> y) {
  Products out{.columns = columns.size(), .gram = {}, .cross = {}, .rows = static_cast<double>(y.size())};
  const auto inner = [](std::span<const double> a, std::span<const double> b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  };
  for (const auto& a : columns) {
    for (const auto& b : columns) out.gram.push_back(inner(a, b));
    out.cross.push_back(inner(a, y));
  }
  out.squares = inner(y, y);
  return out;
}

double log_linear_evidence(const Products& of, double noise, double prior) {
  const auto k = static_cast<Eigen::Index>(of.columns);
  Eigen::MatrixXd precision(k, k);
  Eigen::VectorXd cross(k);
  for (Eigen::Index i = 0; i < k; ++i) {
    for (Eigen::Index j = 0; j < k; ++j) precision(i, j) = of.gram[static_cast<std::size_t>(i * k + j)];
    cross[i] = of.cross[static_cast<std::size_t>(i)] / (noise * noise);
  }
  precision /= noise * noise;
  precision.diagonal().array() += 1 / (prior * prior);
  const Eigen::LLT<Eigen::MatrixXd> root(precision);
  double half_log_det = 0;
  for (Eigen::Index i = 0; i < k; ++i) half_log_det += std::log(root.matrixLLT()(i, i));
  return -0.5 * of.rows * (kLog2Pi + 2 * std::log(noise)) - static_cast<double>(k) * std::log(prior) - half_log_det -
         0.5 * (of.squares / (noise * noise) - cross.dot(root.solve(cross)));
}

double log_mean_evidence(double count, double sum, double squares, double noise, double prior) {
  const double precision = 1 / (prior * prior) + count / (noise * noise), cross = sum / (noise * noise);
  return -0.5 * count * (kLog2Pi + 2 * std::log(noise)) - std::log(prior) - 0.5 * std::log(precision) -
         0.5 * (squares / (noise * noise) - cross * cross / precision);
}

}  // namespace evident::problems
