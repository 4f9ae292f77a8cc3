#include "base/optimal_bridge.hpp"

#include <algorithm>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "base/vector_math.hpp"
#include "evident/base/block.hpp"
#include "evident/base/log_math.hpp"

namespace evident {
namespace {

// log(1 / (1 + exp(-x))), without overflow.
double log_sigmoid(double x) { return x < 0 ? x - std::log1p(std::exp(x)) : -std::log1p(std::exp(-x)); }

struct Sides {
  std::span<const double> p, weights, q;
};

// With c = log r + log(s_q / s_p) the optimal bridge solves s_p E_p[sigmoid(c - l)] = s_q E_q[sigmoid(l - c)]. The log
// of the left side grows with c and that of the right side falls, so there is one root, and no fixed-point iteration
// that could creep.
double log_left(const Sides& s, double c, std::vector<double>& terms) {
  terms.clear();
  for (std::size_t i = 0; i < s.p.size(); ++i)
    if (s.weights[i] > 0) terms.push_back(std::log(s.weights[i]) + log_sigmoid(c - s.p[i]));
  return log_sum_exp(terms);
}
double log_right(const Sides& s, double c, std::vector<double>& terms) {
  terms.clear();
  for (const double l : s.q) terms.push_back(log_sigmoid(l - c));
  return log_mean_exp(terms);
}

// Both logarithms at once and quickly, for the root. Sigmoids below exp(-700) count as that: such ends of a bracket
// keep their sign.
class Balance {
 public:
  explicit Balance(const Sides& s) : s_(s), work_(1, std::max(s.p.size(), s.q.size())) {}
  double operator()(double c) {
    return std::log(sum(s_.p, c, 1.0, s_.weights)) -
           std::log(sum(s_.q, c, -1.0, {}) / static_cast<double>(s_.q.size()));
  }

 private:
  // Sum of weight / (1 + exp(sign (l - c))).
  double sum(std::span<const double> l, double c, double sign, std::span<const double> weights) {
    const std::span<double> e = work_.row(0);
    for (std::size_t i = 0; i < l.size(); ++i) e[i] = std::min(sign * (l[i] - c), 700.0);
    vector_math::exp(e.data(), e.data(), l.size());
    double total = 0;
    for (std::size_t i = 0; i < l.size(); ++i) total += (weights.empty() ? 1.0 : weights[i]) / (1 + e[i]);
    return total;
  }
  Sides s_;
  BlockStorage work_;
};

// `offset` is log(s_p / s_q).
double solve(const Sides& s, double offset) {
  Balance balance(s);
  const auto f = [&](double c) { return offset + balance(c); };
  double start = 0;  // the weighted mean of l over p is near enough
  for (std::size_t i = 0; i < s.p.size(); ++i) start += s.weights[i] * s.p[i];
  start -= offset;
  double low = start - 0.5, high = start + 0.5;
  for (double step = 1; f(low) > 0 && step < 1e300; step *= 2) low -= step;
  for (double step = 1; f(high) < 0 && step < 1e300; step *= 2) high += step;
  std::uintmax_t iterations = 200;
  const auto bracket = boost::math::tools::toms748_solve(
      f, low, high, [](double a, double b) { return std::abs(b - a) < 1e-10 * (1 + std::abs(a)); }, iterations);
  return 0.5 * (bracket.first + bracket.second);
}

// Sum of squares after copies are added up.
double grouped_squares(std::span<const double> b, std::span<const double> identity) {
  std::vector<std::size_t> order(b.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t i, std::size_t j) {
    return identity[i] != identity[j] ? identity[i] < identity[j] : i < j;
  });
  double sum = 0, group = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    group += b[order[k]];
    if (k + 1 < order.size() && identity[order[k + 1]] == identity[order[k]]) continue;
    sum += group * group;
    group = 0;
  }
  return sum;
}

// Sum of the products of all pairs at most so far apart as correlation can be told from noise: pairs of lags while
// their sum is positive and does not grow (Geyer 1992).
double sequence_sum(std::span<const double> b) {
  const auto lag = [&](std::size_t k) {
    double sum = 0;
    for (std::size_t i = 0; i + k < b.size(); ++i) sum += b[i] * b[i + k];
    return sum;
  };
  double total = -lag(0), last = kInf;
  for (std::size_t k = 0; k + 1 < b.size() / 2; k += 2) {
    const double pair = std::min(last, lag(k) + lag(k + 1));
    if (pair <= 0) break;
    total += 2 * pair;
    last = pair;
  }
  return total;
}

struct Errors {
  double of_p, of_q, effective;
};

Errors errors(const Sides& s, double c) {
  std::vector<double> f;
  const double scale = log_left(s, c, f);  // f is filled below, relative to its mean
  f.clear();
  double spread = 0;
  for (std::size_t i = 0; i < s.p.size(); ++i) {
    f.push_back(std::exp(log_sigmoid(c - s.p[i]) - scale));
    spread += s.weights[i] * (f[i] - 1) * (f[i] - 1);
  }
  Errors e{};
  e.of_p = variance_of_mean(f, s.weights, s.p);
  e.effective = e.of_p > 0 ? std::clamp(spread / e.of_p, 1.0, static_cast<double>(s.p.size())) : 0.0;
  std::vector<double> g;
  const double level = log_right(s, c, g);
  const auto n = static_cast<double>(s.q.size());
  for (const double v : g) e.of_q += (std::exp(v - level) - 1) * (std::exp(v - level) - 1) / (n * (n - 1));
  return e;
}

}  // namespace

double variance_of_mean(std::span<const double> f, std::span<const double> weights, std::span<const double> identity) {
  double mean = 0;
  for (std::size_t i = 0; i < f.size(); ++i) mean += weights[i] * f[i];
  std::vector<double> b;
  for (std::size_t i = 0; i < f.size(); ++i) b.push_back(weights[i] * (f[i] - mean));
  return std::max(grouped_squares(b, identity), sequence_sum(b));
}

OptimalBridge optimal_bridge(std::span<const double> p, std::span<const double> weights, std::span<const double> q) {
  const Sides sides{p, weights, q};
  double effective = 1 / grouped_squares(weights, p);
  OptimalBridge result;
  // The optimal bridge knows how much the draws of p are worth, which is seen once there is a bridge.
  for (int pass = 0; pass < 2; ++pass) {
    const double offset = std::log(effective / static_cast<double>(q.size()));
    const double c = solve(sides, offset);
    const Errors e = errors(sides, c);
    result = {.log_ratio = c + offset, .variance_of_p = e.of_p, .variance_of_q = e.of_q, .effective = effective};
    if (e.effective > 0) effective = std::min(effective, e.effective);
  }
  return result;
}

}  // namespace evident
