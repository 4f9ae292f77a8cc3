#include "proposal/continuation.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/statistics.hpp"
#include "dist/scale_root.hpp"
#include "evident/base/log_math.hpp"

namespace evident {
namespace {

constexpr std::size_t kNeighbours = 10;
constexpr double kForEach = 5;  // effective points for each coefficient of the parabola
constexpr std::size_t kMostFeatures = 300;
constexpr double kFar = 2, kNearlyAllOf = 0.999;
constexpr double kMargin = 2;  // standard deviations of what the parabola does not explain

double effective(std::span<const double> weights) {
  double sum = 0, squares = 0;
  for (const double w : weights) sum += w, squares += w * w;
  return squares > 0 ? sum * sum / squares : 0;
}

double length(const double* x, std::size_t d) {
  double square = 0;
  for (std::size_t j = 0; j < d; ++j) square += x[j] * x[j];
  return std::sqrt(square);
}

}  // namespace

Continuation::Continuation(ConstBlock known, std::span<const double> weights, std::span<const double> log_likelihood)
    : d_(known.rows()), mean_(d_), log_likelihood_(log_likelihood.begin(), log_likelihood.end()) {
  double total = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    total += weights[i];
    for (std::size_t j = 0; j < d_; ++j) mean_[j] += weights[i] * known(j, i);
  }
  for (double& m : mean_) m /= total;
  std::vector<double> second(d_ * d_);
  for (std::size_t i = 0; i < weights.size(); ++i)
    for (std::size_t a = 0; a < d_ && weights[i] > 0; ++a)
      for (std::size_t b = 0; b <= a; ++b)
        second[a * d_ + b] += weights[i] / total * (known(a, i) - mean_[a]) * (known(b, i) - mean_[b]);
  inverse_ = dist::inverse_root(dist::scale_root(second, d_, effective(weights)), d_);
  points_.resize(d_ * known.size());
  for (std::size_t i = 0; i < known.size(); ++i) whiten(known, i, points_.data() + i * d_);
  fit(weights);
  find_far(weights);
}

void Continuation::find_far(std::span<const double> weights) {
  std::vector<double> distances(weights.size());
  for (std::size_t i = 0; i < weights.size(); ++i) distances[i] = length(points_.data() + i * d_, d_);
  far_ = kFar * weighted_quantiles(distances, weights, std::array{kNearlyAllOf}).front();
}

void Continuation::whiten(ConstBlock z, std::size_t i, double* x) const {
  for (std::size_t a = 0; a < d_; ++a) {
    x[a] = 0;
    for (std::size_t b = 0; b <= a; ++b) x[a] += inverse_[a * d_ + b] * (z(b, i) - mean_[b]);
  }
}

std::size_t Continuation::feature_count() const { return 1 + d_ + (mixed_ ? d_ * (d_ + 1) / 2 : d_); }

void Continuation::features(const double* x, double* out) const {
  *out++ = 1;
  for (std::size_t a = 0; a < d_; ++a) *out++ = x[a];
  for (std::size_t a = 0; a < d_; ++a)
    for (std::size_t b = mixed_ ? 0 : a; b <= a; ++b) *out++ = x[a] * x[b];
}

// Least squares by normal equations; the coordinates are whitened, so that they are well conditioned.
void Continuation::fit(std::span<const double> weights) {
  const double points = effective(weights);
  mixed_ = feature_count() <= kMostFeatures && points >= kForEach * static_cast<double>(feature_count());
  const std::size_t count = feature_count();
  if (points < kForEach * static_cast<double>(count)) return;
  const auto n = static_cast<Eigen::Index>(count);
  Eigen::MatrixXd normal = Eigen::MatrixXd::Zero(n, n);
  Eigen::VectorXd right = Eigen::VectorXd::Zero(n), f(n);
  double total = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!(weights[i] > 0)) continue;
    features(points_.data() + i * d_, f.data());
    normal.selfadjointView<Eigen::Lower>().rankUpdate(f, weights[i]);
    right += weights[i] * log_likelihood_[i] * f;
    total += weights[i];
  }
  normal.diagonal().array() += 1e-10 * total;
  const Eigen::VectorXd solution = normal.selfadjointView<Eigen::Lower>().ldlt().solve(right);
  coefficients_.assign(solution.data(), solution.data() + n);
  double squares = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!(weights[i] > 0)) continue;
    features(points_.data() + i * d_, f.data());
    const double left = log_likelihood_[i] - f.dot(solution);
    squares += weights[i] / total * left * left;
  }
  margin_ = kMargin * std::sqrt(squares / (1 - static_cast<double>(count) / points));
}

double Continuation::nearest(const double* x) const {
  std::vector<std::pair<double, double>> all;  // squared distance, log likelihood
  all.reserve(log_likelihood_.size());
  for (std::size_t i = 0; i < log_likelihood_.size(); ++i) {
    double square = 0;
    for (std::size_t j = 0; j < d_; ++j) square += (x[j] - points_[i * d_ + j]) * (x[j] - points_[i * d_ + j]);
    all.emplace_back(square, log_likelihood_[i]);
  }
  const std::size_t count = std::min(kNeighbours, all.size());
  std::ranges::partial_sort(all, all.begin() + static_cast<std::ptrdiff_t>(count));
  double most = count == 0 ? kInf : -kInf;
  for (std::size_t k = 0; k < count; ++k) most = std::max(most, all[k].second);
  return most;
}

double Continuation::parabola_at(ConstBlock z, std::size_t i) const {
  if (coefficients_.empty()) return kInf;
  std::vector<double> x(d_), f(coefficients_.size());
  whiten(z, i, x.data());
  features(x.data(), f.data());
  double sum = margin_;
  for (std::size_t k = 0; k < f.size(); ++k) sum += coefficients_[k] * f[k];
  return sum;
}

double Continuation::most_at(ConstBlock z, std::size_t i) const {
  std::vector<double> x(d_);
  whiten(z, i, x.data());
  if (!(length(x.data(), d_) <= far_)) return -kInf;
  return std::min(parabola_at(z, i), nearest(x.data()));
}

}  // namespace evident
