#include "model/fitted_proposal.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/statistics.hpp"
#include "dist/special.hpp"
#include "evident/base/log_math.hpp"

namespace evident {
namespace {

constexpr std::size_t kCells = 64;
constexpr int kDegrees = 5;

}  // namespace

CellProposal::CellProposal(ConstBlock draws) {
  for (std::size_t j = 0; j < draws.rows(); ++j) {
    std::vector<double> x(draws.row(j).begin(), draws.row(j).end());
    std::ranges::sort(x);
    const auto quantile = [&](double share) { return quantile_of_sorted(x, share); };
    Axis axis;
    for (std::size_t c = 1; c < kCells; ++c) axis.edges.push_back(quantile(static_cast<double>(c) / kCells));
    // A tail (s / (s + excess))^1 has its median at an excess of s.
    const double floor = 1e-6 * (axis.edges.back() - axis.edges.front()) + 1e-300;
    axis.below = std::max(axis.edges.front() - quantile(0.5 / kCells), floor);
    axis.above = std::max(quantile(1 - 0.5 / kCells) - axis.edges.back(), floor);
    for (std::size_t c = 1; c < axis.edges.size(); ++c)  // equal draws must not make a cell of no width
      axis.edges[c] = std::max(axis.edges[c], axis.edges[c - 1] + floor);
    axes_.push_back(std::move(axis));
  }
}

double CellProposal::draw(const Axis& axis, Stream& random, double& z) {
  const auto cell = std::min(static_cast<std::size_t>(random.uniform() * kCells), kCells - 1);
  const double u = random.uniform(), log_cell = -std::log(static_cast<double>(kCells));
  if (cell > 0 && cell + 1 < kCells) {
    const double low = axis.edges[cell - 1], width = axis.edges[cell] - low;
    z = low + u * width;
    return log_cell - std::log(width);
  }
  const double scale = cell == 0 ? axis.below : axis.above, excess = scale * (1 / u - 1);
  z = cell == 0 ? axis.edges.front() - excess : axis.edges.back() + excess;
  return log_cell - std::log(scale) - 2 * std::log1p(excess / scale);
}

double CellProposal::draw(Stream& random, std::span<double> z) const {
  double log_density = 0;
  for (std::size_t j = 0; j < axes_.size(); ++j) log_density += draw(axes_[j], random, z[j]);
  return log_density;
}

StudentProposal::StudentProposal(ConstBlock draws) {
  const auto d = static_cast<Eigen::Index>(draws.rows()), n = static_cast<Eigen::Index>(draws.size());
  Eigen::MatrixXd x(d, n);
  for (Eigen::Index j = 0; j < d; ++j)
    for (Eigen::Index i = 0; i < n; ++i) x(j, i) = draws(static_cast<std::size_t>(j), static_cast<std::size_t>(i));
  mean_ = x.rowwise().mean();
  x.colwise() -= mean_;
  const Eigen::LLT<Eigen::MatrixXd> factor(x * x.transpose() / static_cast<double>(n));
  usable_ = factor.info() == Eigen::Success && x.allFinite();
  if (!usable_) return;
  constexpr double kScale = static_cast<double>(kDegrees - 2) / kDegrees;  // the variance of t is above its scale
  root_ = std::sqrt(kScale) * factor.matrixL().toDenseMatrix();
  const double half = 0.5 * kDegrees, dim = static_cast<double>(d);
  log_constant_ = dist::log_gamma(half + 0.5 * dim) - dist::log_gamma(half) -
                  0.5 * dim * std::log(kDegrees * std::numbers::pi) - root_.diagonal().array().log().sum();
}

double StudentProposal::draw(Stream& random, std::span<double> z) const {
  const Eigen::Index d = mean_.size();
  Eigen::VectorXd e(d);
  for (Eigen::Index j = 0; j < d; ++j) e[j] = random.normal();
  double chi_square = 0;
  for (int k = 0; k < kDegrees; ++k) {
    const double v = random.normal();
    chi_square += v * v;
  }
  e *= std::sqrt(kDegrees / chi_square);
  const Eigen::VectorXd at = mean_ + root_ * e;
  std::copy_n(at.data(), d, z.begin());
  return log_constant_ - 0.5 * (kDegrees + static_cast<double>(d)) * std::log1p(e.squaredNorm() / kDegrees);
}

}  // namespace evident
