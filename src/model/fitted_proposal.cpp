#include "model/fitted_proposal.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>

#include "base/statistics.hpp"
#include "evident/base/log_math.hpp"

namespace evident {
namespace {

constexpr std::size_t kCells = 64;
constexpr double kLeastShare = 1e-15;  // normal scores stay within 8

double normal_score(double share) {
  const double p = std::clamp(share, kLeastShare, 1 - kLeastShare);
  return -std::numbers::sqrt2 * boost::math::erfc_inv(2 * p);
}
double normal_share(double score) { return 0.5 * std::erfc(-score / std::numbers::sqrt2); }

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

CellProposal::Place CellProposal::at_share(std::size_t j, double share) const {
  const auto& [edges, below, above] = axes_[j];
  const double cells = share * kCells;
  const auto cell = std::min(static_cast<std::size_t>(cells), kCells - 1);
  double z = 0;
  if (cell == 0)
    z = edges.front() - below * (1 / cells - 1);
  else if (cell + 1 == kCells)
    z = edges.back() + above * (1 / (kCells - cells) - 1);
  else
    z = edges[cell - 1] + (cells - static_cast<double>(cell)) * (edges[cell] - edges[cell - 1]);
  return {z, share, at(j, z).log_density};
}

CellProposal::Place CellProposal::at(std::size_t j, double z) const {
  const auto& [edges, below, above] = axes_[j];
  const double log_cell = -std::log(static_cast<double>(kCells));
  if (z < edges.front() || z >= edges.back()) {
    const bool low = z < edges.front();
    const double scale = low ? below : above, excess = (low ? edges.front() - z : z - edges.back()) / scale;
    const double beyond = 1 / (kCells * (1 + excess));
    return {z, low ? beyond : 1 - beyond, log_cell - std::log(scale) - 2 * std::log1p(excess)};
  }
  const auto above_z = std::ranges::upper_bound(edges, z);
  const double low = above_z[-1], width = *above_z - low;
  const double cell = static_cast<double>(above_z - edges.begin());
  return {z, (cell + (z - low) / width) / kCells, log_cell - std::log(width)};
}

double CellProposal::draw(Stream& random, std::span<double> z) const {
  double log_density = 0;
  for (std::size_t j = 0; j < axes_.size(); ++j) {
    const Place place = at_share(j, random.uniform());
    z[j] = place.z;
    log_density += place.log_density;
  }
  return log_density;
}

double CellProposal::log_density(std::span<const double> z) const {
  double sum = 0;
  for (std::size_t j = 0; j < axes_.size(); ++j) sum += at(j, z[j]).log_density;
  return sum;
}

ScoreProposal::ScoreProposal(const CellProposal& cells, ConstBlock draws) : cells_(cells) {
  const auto d = static_cast<Eigen::Index>(draws.rows()), n = static_cast<Eigen::Index>(draws.size());
  Eigen::MatrixXd y(d, n);
  for (Eigen::Index j = 0; j < d; ++j)
    for (Eigen::Index i = 0; i < n; ++i) {
      const auto row = static_cast<std::size_t>(j);
      y(j, i) = normal_score(cells_.at(row, draws(row, static_cast<std::size_t>(i))).share);
    }
  const Eigen::LLT<Eigen::MatrixXd> factor(y * y.transpose() / static_cast<double>(n));
  usable_ = factor.info() == Eigen::Success && y.allFinite();
  if (!usable_) return;
  root_ = factor.matrixL();
  log_constant_ = -root_.diagonal().array().log().sum();
}

double ScoreProposal::draw(Stream& random, std::span<double> z) const {
  Eigen::VectorXd y(root_.rows());
  for (double& v : y) v = random.normal();
  y = root_ * y;
  for (std::size_t j = 0; j < z.size(); ++j)
    z[j] =
        cells_.at_share(j, std::clamp(normal_share(y[static_cast<Eigen::Index>(j)]), kLeastShare, 1 - kLeastShare)).z;
  return log_density(z);
}

// The density of z is that of the scores, times that of each coordinate over that of its score.
double ScoreProposal::log_density(std::span<const double> z) const {
  Eigen::VectorXd y(root_.rows());
  double log_shapes = 0;
  for (std::size_t j = 0; j < z.size(); ++j) {
    const CellProposal::Place place = cells_.at(j, z[j]);
    y[static_cast<Eigen::Index>(j)] = normal_score(place.share);
    log_shapes += place.log_density;
  }
  const double squares = y.squaredNorm();
  root_.triangularView<Eigen::Lower>().solveInPlace(y);
  return log_constant_ + log_shapes + 0.5 * (squares - y.squaredNorm());
}

}  // namespace evident
