#include "baseline/cut_normal.hpp"

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

#include "base/statistics.hpp"
#include "evident/base/log_math.hpp"

namespace evident {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

constexpr std::size_t kBlocks = 64, kMostRounds = 64, kEnough = 400;
constexpr double kLeftOut = 0.1;

Vector point(const BlockStorage& z, std::size_t i) {
  Vector out(static_cast<Eigen::Index>(z.rows()));
  for (std::size_t j = 0; j < z.rows(); ++j) out[static_cast<Eigen::Index>(j)] = z(j, i);
  return out;
}

}  // namespace

CutNormal::CutNormal(const Population& x, const std::vector<std::size_t>& columns, double coverage,
                     const TemperedTarget& target, const Context& context) {
  fit(x, columns);
  const double half = 0.5 * static_cast<double>(x.z.rows());
  longest_ = 2 * boost::math::gamma_p_inv(half, coverage);
  log_constant_ = -half * kLog2Pi - std::log(coverage);
  for (Eigen::Index j = 0; j < mean_.size(); ++j) log_constant_ -= std::log(root_.matrixLLT()(j, j));
  std::vector<double> density;
  for (const std::size_t i : columns) density.push_back(x.log_prior[i] + x.log_likelihood[i]);
  lowest_ = value_above_share(density, kLeftOut);
  measure(x, target, context);
}

void CutNormal::fit(const Population& x, const std::vector<std::size_t>& columns) {
  const auto d = static_cast<Eigen::Index>(x.z.rows());
  const auto n = static_cast<double>(columns.size());
  mean_ = Vector::Zero(d);
  Matrix covariance = Matrix::Zero(d, d);
  for (const std::size_t i : columns) mean_ += point(x.z, i) / n;
  for (const std::size_t i : columns) {
    const Vector u = point(x.z, i) - mean_;
    covariance += u * u.transpose() / n;
  }
  for (double ridge = 1e-12; ridge < 1; ridge *= 100) {  // a coordinate that hardly moved must not stop the run
    root_.compute(covariance);
    if (root_.info() == Eigen::Success && root_.matrixLLT().diagonal().minCoeff() > 0) break;
    covariance.diagonal() *= 1 + ridge;
    covariance.diagonal().array() += 1e-300;
  }
}

// How many of the draws of one block of numbers lie in the region.
std::size_t CutNormal::count_within(std::size_t block, const Population& like, const TemperedTarget& target,
                                    const Streams& streams) const {
  BlockStorage z(like.z.rows(), kBlockSize), theta(like.theta.rows(), kBlockSize);
  AlignedVector<double> log_prior(kBlockSize), log_jacobian(kBlockSize), l(kBlockSize);
  Vector u(mean_.size());
  for (std::size_t i = 0; i < kBlockSize; ++i) {
    Stream random = streams.at({.particle = static_cast<std::uint32_t>(block * kBlockSize + i)});
    do {
      for (double& v : u) v = random.normal();
    } while (u.squaredNorm() > longest_);
    const Vector at = mean_ + root_.matrixL() * u;
    for (std::size_t j = 0; j < z.rows(); ++j) z(j, i) = at[static_cast<Eigen::Index>(j)];
  }
  target.prior(z, theta, log_prior, log_jacobian);
  target.likelihood(theta, l);
  std::size_t count = 0;
  for (std::size_t i = 0; i < kBlockSize; ++i) count += log_prior[i] + l[i] >= lowest_ ? 1 : 0;
  return count;
}

// A round is a few thousand draws; there are more of them when few hit the region.
void CutNormal::measure(const Population& like, const TemperedTarget& target, const Context& context) {
  std::size_t count = 0, rounds = 0;
  while (count < kEnough && rounds < kMostRounds) {
    std::vector<std::size_t> within(kBlocks);
    context.executor.for_each(
        kBlocks, [&](std::size_t b) { within[b] = count_within(rounds * kBlocks + b, like, target, context.streams); });
    for (const std::size_t w : within) count += w;
    ++rounds;
  }
  overlap_ = static_cast<double>(count) / static_cast<double>(rounds * kBlocks * kBlockSize);
  overlap_error_ = count > 0 ? std::sqrt((1 - overlap_) / static_cast<double>(count)) : kNaN;
}

double CutNormal::log_density(const Population& x, std::size_t i) const {
  if (overlap_ == 0 || x.log_prior[i] + x.log_likelihood[i] < lowest_) return -kInf;
  const double length = squared_length(point(x.z, i));
  return length <= longest_ ? log_constant_ - std::log(overlap_) - 0.5 * length : -kInf;
}

}  // namespace evident
