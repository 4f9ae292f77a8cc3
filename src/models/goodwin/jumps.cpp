#include "models/goodwin/jumps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "evident/base/log_math.hpp"

namespace evident::goodwin {
namespace {

/// Jumps of log a0 have a standard deviation from smallest_ to kLargest, uniform in the logarithm; those of log b are
/// up to kWiderInB times as wide. At full power the modes are about kFinest wide; they widen as 1 / sqrt(alpha).
constexpr double kFinest = 0.003, kLargest = 2, kWiderInB = 4;
constexpr double kAlone = 0.05;  ///< share of jumps in a0 alone, and of those in b alone

/// Most jumps draw log a0 and log b afresh: from the map of the data, or, should it have missed something, from two
/// Cauchy distributions with these widths, cut off where the map ends above; feedback that oscillates or nearly does
/// has b from 1 to some tens.
constexpr double kFresh = 0.8, kMapped = 0.75;
constexpr double kFreshA0 = 1, kFreshB = 1.2, kCentreB = 1.5;

double share_below(double centre, double width, double highest) {
  return 0.5 + std::atan((highest - centre) / width) / kPi;
}
double cauchy(double centre, double width, double highest, double u) {
  return centre + width * std::tan(kPi * (u * share_below(centre, width, highest) - 0.5));
}
double log_cauchy(double x, double centre, double width, double highest) {
  const double z = (x - centre) / width;
  return x > highest ? -kInf : -std::log(kPi * width * share_below(centre, width, highest) * (1 + z * z));
}

double log_uniform(double low, double high, double u) { return low * std::exp(u * std::log(high / low)); }

std::size_t pick(double u, std::size_t choices) {
  return std::min(static_cast<std::size_t>(u * static_cast<double>(choices)), choices - 1);
}

/// About the distribution of log f under likelihood^alpha when the trajectory of a state is stretched by f: a peak
/// where f fits, and a tail towards f = 0, which the likelihood does not hold and priors that are flat in log f hold
/// loosely.
class Stretch {
 public:
  /// `square` and `product` are the sums of x^2 and x y.
  Stretch(double square, double product, double precision) {
    const double sd = 1 / std::sqrt(precision * square), t = std::max(product / (square * sd), 0.5);
    edge_ = std::log(sd);
    centre_ = edge_ + std::log(t);
    spread_ = 0.55 / t;  // the standard deviation of a logistic variable is 1.81 times its spread
    tail_ = kTail / (kTail + 2.5 / t * std::exp(0.5 * t * t));
  }
  double quantile(double u) const {
    if (u < tail_) return edge_ + kTail * std::log(u / tail_);
    const double v = (u - tail_) / (1 - tail_);
    return centre_ + spread_ * std::log(v / (1 - v));
  }
  double log_density(double x) const {
    const double e = std::exp(-std::abs(x - centre_) / spread_), peak = e / (spread_ * (1 + e) * (1 + e));
    return std::log((1 - tail_) * peak + (x < edge_ ? tail_ / kTail * std::exp((x - edge_) / kTail) : 0.0));
  }

 private:
  static constexpr double kTail = 10;  ///< mean length of the tail
  double edge_, centre_, spread_, tail_;
};

}  // namespace

Jumps::Jumps(const GoodwinProblem::Plan& plan, const CurveMap& map, double alpha)
    : plan_(plan),
      map_(map),
      level_(map.level(alpha)),
      precision_(2 * alpha * plan.inverse_two_variance),
      decays_(decay_range(plan)),
      smallest_(std::min(kFinest / std::sqrt(alpha), 0.5 * kLargest)) {
  for (const std::size_t i : plan.states) observed_[i] = true, last_ = std::max(last_, i);
  for (std::size_t k = 0; k < plan.values.size(); ++k)
    squared_data_[plan.states[k % plan.columns]] += plan.values[k] * plan.values[k];
  for (std::size_t i = 0; i < plan.m; ++i)
    if (!observed_[i]) unobserved_.push_back(i);
}

double Jumps::log_fresh(double a0, double b) const {
  const double anywhere =
      log_cauchy(a0, decays_.middle, kFreshA0, decays_.fastest) + log_cauchy(b, kCentreB, kFreshB, kHighestB);
  return log_add_exp(std::log(kMapped) + map_.log_density(*level_, a0, b), std::log(1 - kMapped) + anywhere);
}

double Jumps::log_b(ConstBlock theta, std::size_t i) const {
  double sum = std::log(theta(1, i)) + std::log(theta(2, i)) / plan_.feedback.rho;
  for (std::size_t k = 1; k < plan_.m; ++k) sum += std::log(theta(2 + k, i));
  return sum - static_cast<double>(plan_.m) * std::log(theta(0, i));
}

Change Jumps::jump(const Numbers& numbers, const States& c, ConstBlock theta, std::size_t i) const {
  const double which = numbers.u(0, i);
  Change change;
  if (which < kFresh) {
    const double a0 = std::log(theta(0, i)), b = log_b(theta, i);
    const double u = numbers.u(5 + plan_.m, i), u_a0 = numbers.u(1, i), u_b = numbers.u(4, i);
    const auto [new_a0, new_b] = u < kMapped ? map_.draw(*level_, u / kMapped, u_a0, u_b)
                                             : std::pair{cauchy(decays_.middle, kFreshA0, decays_.fastest, u_a0),
                                                         cauchy(kCentreB, kFreshB, kHighestB, u_b)};
    change.a0 = new_a0 - a0;
    change.b = new_b - b;
    change.log_ratio = log_fresh(a0, b) - log_fresh(new_a0, new_b);
  } else {
    const double sd = log_uniform(smallest_, kLargest, numbers.u(1, i));
    if (which < 1 - kAlone) change.a0 = sd * numbers.n(0, i);
    if (which > kFresh + kAlone) change.b = sd * log_uniform(1, kWiderInB, numbers.u(4, i)) * numbers.n(1, i);
  }
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
    sum += to(row, i) >= std::numeric_limits<double>::min() ? by : -kInf;  // the solver takes smaller ones for zero
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
  double density = 0, sum = 0;
  bool in_range = true;
  for (std::size_t k = 0; k <= last_; ++k) {
    if (!observed_[k]) continue;
    const auto [square, product] = totals(sums, i, k);
    in_range = in_range && square > 1e-270;
    const Stretch distribution(square, product, precision_);
    c[k] = distribution.quantile(numbers.u(5 + k, i));
    density += distribution.log_density(c[k]);
    const double f = std::exp(c[k]);
    sum += f * (f * square - 2 * product) + squared_data_[k];
  }
  // Where the solver has given up, or squares have left the range of a double, there is nothing to stretch.
  if (!in_range || !(sum >= 0)) log_likelihood = -kInf;
  if (log_likelihood > -kInf) log_likelihood = plan_.log_likelihood(sum);
  return density;
}

double Jumps::density_here(const BlockStorage& sums, std::size_t i) const {
  double density = 0;
  for (std::size_t k = 0; k <= last_; ++k) {
    if (!observed_[k]) continue;
    const auto [square, product] = totals(sums, i, k);
    density += Stretch(square, product, precision_).log_density(0);
  }
  return density;
}

}  // namespace evident::goodwin
