#include "models/goodwin/jumps.hpp"

#include <algorithm>
#include <cmath>

namespace evident::goodwin {
namespace {

/// Jumps of log a0 have a standard deviation from smallest_ to kLargest, uniform in the logarithm; those of log b are
/// wider. At full power the modes are about kFinest wide; they widen as 1 / sqrt(alpha).
constexpr double kFinest = 0.003, kLargest = 2, kWiderInB = 2;
constexpr double kAlone = 0.15;  ///< share of jumps in a0 alone, and of those in b alone

double log_uniform(double low, double high, double u) { return low * std::exp(u * std::log(high / low)); }

std::size_t pick(double u, std::size_t choices) {
  return std::min(static_cast<std::size_t>(u * static_cast<double>(choices)), choices - 1);
}

/// About the distribution of log f under likelihood^alpha when the trajectory of a state is stretched by f.
struct Logistic {
  double centre, spread;

  /// `square` and `product` are the sums of x^2 and x y.
  Logistic(double square, double product, double precision) {
    const double sd = 1 / std::sqrt(precision * square), mean = std::max(product / square, 0.5 * sd);
    centre = std::log(mean);
    spread = 0.55 * sd / mean;  // the standard deviation of a logistic variable is 1.81 times its spread
  }
  double quantile(double u) const { return centre + spread * std::log(u / (1 - u)); }
  double log_density(double x) const {
    const double distance = std::abs(x - centre) / spread;
    return -distance - std::log(spread) - 2 * std::log1p(std::exp(-distance));
  }
};

}  // namespace

Jumps::Jumps(const GoodwinProblem::Plan& plan, double alpha)
    : plan_(plan),
      precision_(2 * alpha * plan.inverse_two_variance),
      smallest_(std::min(kFinest / std::sqrt(alpha), 0.5 * kLargest)) {
  for (const std::size_t i : plan.states) observed_[i] = true, last_ = std::max(last_, i);
  for (std::size_t i = 0; i < plan.m; ++i)
    if (!observed_[i]) unobserved_.push_back(i);
}

Change Jumps::jump(const Numbers& numbers, const States& c, std::size_t i) const {
  const double which = numbers.u(0, i), sd = log_uniform(smallest_, kLargest, numbers.u(1, i));
  Change change;
  if (which < 1 - kAlone) change.a0 = sd * numbers.n(0, i);
  if (which > kAlone) change.b = kWiderInB * sd * numbers.n(1, i);
  // Up to `cut` the k_i stay as they are wherever they can; behind it a2 and the k_i do. The one between absorbs.
  const std::size_t m = plan_.m, cut = last_ + pick(numbers.u(2, i), m - last_);
  for (std::size_t k = 0; k <= cut; ++k) change.c[k] = observed_[k] ? c[k] : (k > 0 ? change.c[k - 1] : 0) - change.a0;
  for (std::size_t k = m; k-- > cut + 1;) change.c[k] = k + 1 == m ? change.b : change.c[k + 1] + change.a0;
  return change;
}

Change Jumps::neutral(const Numbers& numbers, std::size_t i) const {
  const std::size_t first = unobserved_[pick(numbers.u(0, i), unobserved_.size())];
  std::size_t length = 1;
  while (first + length < plan_.m && !observed_[first + length]) ++length;
  const std::size_t end = first + 1 + pick(numbers.u(2, i), length);
  Change change;
  std::fill(&change.c[first], &change.c[0] + end, log_uniform(0.1, 20, numbers.u(1, i)) * numbers.n(0, i));
  return change;
}

double Jumps::apply(const Change& change, ConstBlock from, Block to, std::size_t i) const {
  double sum = 0;
  const auto set = [&](std::size_t row, double by) {
    to(row, i) = by == 0 ? from(row, i) : from(row, i) * std::exp(by);
    sum += by;
  };
  const std::size_t m = plan_.m;
  set(0, change.a0);
  set(1, change.c[0] + change.a0);
  set(2, plan_.feedback.rho * (change.b - change.c[m - 1]));
  for (std::size_t k = 1; k < m; ++k) set(2 + k, change.c[k] - change.c[k - 1] + change.a0);
  return sum;
}

Jumps::Totals Jumps::totals(const BlockStorage& sums, std::size_t i, std::size_t state) const {
  Totals t;
  for (std::size_t c = 0; c < plan_.columns; ++c)
    if (plan_.states[c] == state) t.square += sums(2 * c, i), t.product += sums(2 * c + 1, i);
  return t;
}

double Jumps::stretch(const BlockStorage& sums, const Numbers& numbers, std::size_t i, States& c,
                      double& log_likelihood) const {
  double density = 0;
  for (std::size_t k = 0; k <= last_; ++k) {
    if (!observed_[k]) continue;
    const auto [square, product] = totals(sums, i, k);
    const Logistic logistic(square, product, precision_);
    c[k] = logistic.quantile(numbers.u(4 + k, i));
    density += logistic.log_density(c[k]);
    const double f = std::exp(c[k]);
    log_likelihood -= plan_.inverse_two_variance * (f - 1) * ((f + 1) * square - 2 * product);
  }
  return density;
}

double Jumps::density_here(const BlockStorage& sums, std::size_t i) const {
  double density = 0;
  for (std::size_t k = 0; k <= last_; ++k) {
    if (!observed_[k]) continue;
    const auto [square, product] = totals(sums, i, k);
    density += Logistic(square, product, precision_).log_density(0);
  }
  return density;
}

}  // namespace evident::goodwin
