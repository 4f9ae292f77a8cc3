#include "kernel/moments.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "base/partition.hpp"
#include "base/vector_math.hpp"
#include "evident/base/context.hpp"

namespace evident {
namespace {

/// Of a size known at run time only; up to `kMost` rows without allocation.
template <int kMost>
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, kMost, kMost>;

// A coordinate that does not vary still gets a proposal, too small to matter.
double safe_sd(double variance, double mean) {
  if (std::isfinite(variance) && variance > 0) return std::sqrt(variance);
  return std::isfinite(mean) ? 1e-8 * std::max(std::abs(mean), 1e-8) : 1e-8;
}

}  // namespace

namespace {

/// The particles of one block, for vector_math.
struct BlockRows {
  BlockRows(const Population& x, const MomentsWanted& wanted, std::size_t block)
      : weights(x.weights.values().data() + block * kBlockSize),
        size(std::min(kBlockSize, wanted.range.last - block * kBlockSize)) {
    const std::size_t d = wanted.rows.size();
    if (d > kFew) many.resize(d);
    rows = {d > kFew ? many.data() : few, d};
    for (std::size_t j = 0; j < d; ++j) rows[j] = x.z.row(wanted.rows[j]).data() + block * kBlockSize;
  }
  BlockRows(const BlockRows&) = delete;
  BlockRows& operator=(const BlockRows&) = delete;
  static constexpr std::size_t kFew = 16;  // pointers on the stack for ordinary models
  const double* weights;
  std::size_t size;
  std::span<const double*> rows;
  const double* few[kFew] = {};
  std::vector<const double*> many;
};

template <class Values>
std::vector<std::vector<double>> sums_over(const Population& x, std::span<const MomentsWanted> wanted,
                                           const Values& values) {
  const auto of_block = [&](std::size_t w, std::size_t block, double* out) {
    values(w, BlockRows(x, wanted[w], block), out);
  };
  std::vector<TreeSum> sums;
  sums.reserve(wanted.size());
  for (std::size_t w = 0; w < wanted.size(); ++w)
    sums.push_back({.first = wanted[w].range.first / kBlockSize,
                    .last = block_count(wanted[w].range.last),
                    .width = values.width(wanted[w].rows.size()),
                    // Two words, so that std::function need not allocate.
                    .values = [&of_block, w](std::size_t block, double* out) { of_block(w, block, out); }});
  return tree_sums(sums, x.partition.get());
}

struct Means {
  static std::size_t width(std::size_t d) { return d; }
  void operator()(std::size_t, const BlockRows& b, double* out) const {
    vector_math::weighted_mean(b.weights, b.rows.data(), b.rows.size(), b.size, out);
  }
};

struct Seconds {
  const std::vector<RowMoments>& moments;
  static std::size_t width(std::size_t d) { return d * d; }
  void operator()(std::size_t w, const BlockRows& b, double* out) const {
    std::fill_n(out, width(b.rows.size()), 0.0);  // the upper triangle is not filled in
    vector_math::weighted_second(b.weights, b.rows.data(), moments[w].mean.data(), b.rows.size(), b.size, out);
  }
};

}  // namespace

std::vector<RowMoments> row_moments(const Population& x, std::span<const MomentsWanted> wanted) {
  std::vector<RowMoments> out;
  auto means = sums_over(x, wanted, Means{});
  for (std::size_t w = 0; w < wanted.size(); ++w) {
    const auto [share, squares] = vector_math::sum_and_squares(x.weights.values().data() + wanted[w].range.first,
                                                               wanted[w].range.last - wanted[w].range.first);
    out.push_back({share, share * share / squares, std::move(means[w]), {}});
    for (double& v : out[w].mean) v /= out[w].share;
  }
  auto seconds = sums_over(x, wanted, Seconds{out});
  for (std::size_t w = 0; w < wanted.size(); ++w) {
    out[w].second = std::move(seconds[w]);
    for (double& v : out[w].second) v /= out[w].share;
  }
  return out;
}

RowMoments pooled(const RowMoments& a, const RowMoments& b) {
  const std::size_t d = a.mean.size();
  RowMoments m{a.share + b.share, 0, std::vector<double>(d), std::vector<double>(d * d)};
  const double p = a.share / m.share, q = b.share / m.share;
  m.effective = 1 / (p * p / a.effective + q * q / b.effective);
  for (std::size_t j = 0; j < d; ++j) m.mean[j] = p * a.mean[j] + q * b.mean[j];
  for (std::size_t j = 0; j < d; ++j)
    for (std::size_t k = 0; k <= j; ++k)
      m.second[j * d + k] =
          p * a.second[j * d + k] + q * b.second[j * d + k] + p * q * (a.mean[j] - b.mean[j]) * (a.mean[k] - b.mean[k]);
  return m;
}

namespace {

std::vector<double> deviations(const RowMoments& m) {
  const std::size_t d = m.mean.size();
  std::vector<double> sd(d);
  for (std::size_t j = 0; j < d; ++j) sd[j] = safe_sd(m.second[j * d + j], m.mean[j]);
  return sd;
}

}  // namespace

double noise_of_correlations(const RowMoments& m, double largest) {
  constexpr double kNearlyAll = 0.95;  // then it is all
  const std::size_t d = m.mean.size();
  if (d < 2 || m.effective * (1 + 1e-9) >= static_cast<double>(kPerCoordinate * d)) return 0;
  const std::vector<double> sd = deviations(m);
  double variances = 0, squares = 0;
  for (std::size_t a = 0; a < d; ++a)
    for (std::size_t b = 0; b < a; ++b) {
      const double r = m.second[a * d + b] / (sd[a] * sd[b]);
      if (!(std::abs(r) <= largest)) continue;
      variances += std::pow(1 - std::min(r * r, 1.0), 2);
      squares += r * r;
    }
  const double share = variances / std::max(m.effective - 1, 1.0) / squares;
  return share < kNearlyAll ? share : 1;  // NaN: no correlation at all
}

namespace {

template <int kMost>
std::vector<double> root_of(const RowMoments& moments) {
  const std::vector<double>& second = moments.second;
  const std::size_t d = moments.mean.size();
  const std::vector<double> sd = deviations(moments);
  // Where most is noise a few strong correlations may stand out: they stay as they are.
  constexpr double kMostly = 0.5, kStrong = 8;  // standard errors: what is below does moves no harm
  const double strong = kStrong / std::sqrt(moments.effective), of_all = noise_of_correlations(moments);
  const double limit = of_all > kMostly ? strong : 1,
               noise = limit < 1 ? noise_of_correlations(moments, limit) : of_all;
  const auto signal = [&](double r) { return std::abs(r) > limit ? r : (1 - noise) * r; };

  // On the scale of correlations degeneracy does not depend on units.
  Matrix<kMost> correlation = Matrix<kMost>::Identity(static_cast<Eigen::Index>(d), static_cast<Eigen::Index>(d));
  for (std::size_t a = 0; a < d; ++a)
    for (std::size_t b = 0; b < a; ++b) {
      const double r = second[a * d + b] / (sd[a] * sd[b]);
      correlation(a, b) = correlation(b, a) = std::isfinite(r) ? signal(std::clamp(r, -1.0, 1.0)) : 0.0;
    }
  for (const double shrink : {0.0, 1e-9, 1e-6, 1e-3, 0.1, 1.0}) {
    Matrix<kMost> shrunk = (1 - shrink) * correlation;
    shrunk.diagonal().setOnes();
    const Eigen::LLT<Matrix<kMost>> root(shrunk);
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

}  // namespace

std::vector<double> covariance_root(const RowMoments& moments) {
  constexpr int kFew = 8;  // without a heap
  return moments.mean.size() <= kFew ? root_of<kFew>(moments) : root_of<Eigen::Dynamic>(moments);
}

// With many coordinates it matters most that nobody shapes its own proposal: half as many particles tell less of the
// covariance, but what is noise in it is left out.
Halves::Halves(std::size_t particles)
    : particles_(particles), middle_(block_count(particles) / 2), count_(middle_ > 0 ? 2 : 1) {}

Range Halves::calibrating(std::size_t half) const {
  if (count_ == 1) return {0, particles_};
  const std::size_t middle = middle_ * kBlockSize;
  return half == 0 ? Range{middle, particles_} : Range{0, middle};
}

}  // namespace evident
