// Likelihoods that jump: change points, a threshold, a step in space.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "evident/base/log_math.hpp"
#include "problems/conjugate.hpp"
#include "problems/families.hpp"
#include "problems/written.hpp"

namespace evident::problems {
namespace {

constexpr std::size_t kTimes = 40;
constexpr double kMeanSd = 5;

struct Segment {
  std::size_t first, last;  ///< the latter not included
};

/// The segments of 0 .. kTimes - 1 that the changes part it in.
std::vector<Segment> segments(std::vector<std::size_t> changes) {
  std::ranges::sort(changes);
  std::vector<Segment> out;
  std::size_t first = 0;
  for (const std::size_t c : changes) {
    out.push_back({first, c});
    first = c;
  }
  out.push_back({first, kTimes});
  return out;
}

std::size_t change_at(double c) { return std::min(kTimes - 1, static_cast<std::size_t>(std::max(0.0, c))); }

/// y_t ~ N(mean of its segment, 1) for t = 0 .. 39; changes U(0, 40), in any order; the means, in the order of time,
/// N(0, 5^2).
Problem change_points(std::size_t changes, std::uint64_t instance) {
  const std::string name = std::to_string(changes) + (changes == 1 ? " change point" : " change points");
  Stream stream = numbers_of(name, instance);
  std::vector<std::size_t> places(changes);
  for (std::size_t& c : places) c = 5 + static_cast<std::size_t>(30 * stream.uniform());
  std::vector<double> y(kTimes);
  double level = 0;
  for (const Segment& s : segments(places)) {
    for (std::size_t t = s.first; t < s.last; ++t) y[t] = level + stream.normal();
    level += stream.uniform() < 0.5 ? -1.5 : 1.5;
  }
  ParameterSpace space = alike(changes, uniform(0, kTimes), "change");
  for (std::size_t k = 0; k <= changes; ++k) space.add("mean" + std::to_string(k + 1), normal(0, kMeanSd));
  auto model = lift(space, [=](std::span<const double> theta) {
    std::vector<std::size_t> at;
    for (std::size_t k = 0; k < changes; ++k) at.push_back(change_at(theta[k]));
    double sum = 0;
    std::size_t k = changes;
    for (const Segment& s : segments(at)) {
      for (std::size_t t = s.first; t < s.last; ++t) sum += (y[t] - theta[k]) * (y[t] - theta[k]);
      ++k;
    }
    return -0.5 * (static_cast<double>(kTimes) * kLog2Pi + sum);
  });
  const auto log_evidence_at = [&](const std::vector<std::size_t>& at) {
    double sum = 0;
    for (const Segment& s : segments(at)) {
      double total = 0, squares = 0;
      for (std::size_t t = s.first; t < s.last; ++t) total += y[t], squares += y[t] * y[t];
      sum += log_mean_evidence(static_cast<double>(s.last - s.first), total, squares, 1, kMeanSd);
    }
    return sum;
  };
  std::vector<double> terms;
  for (std::size_t a = 0; a < kTimes; ++a) {
    if (changes == 1) terms.push_back(log_evidence_at({a}));
    for (std::size_t b = 0; changes == 2 && b < kTimes; ++b) terms.push_back(log_evidence_at({a, b}));
  }
  return {name, model, log_mean_exp(terms), 0, "closed form: a mean over the places of the changes"};
}

/// y_i ~ N(a + b [x_i > c], 1), a and b ~ N(0, 3^2), c ~ U(0, 10).
Problem threshold(std::uint64_t instance) {
  constexpr double kPriorSd = 3, kWidth = 10;
  const std::string name = "threshold d=3";
  Stream stream = numbers_of(name, instance);
  std::vector<double> x(25), y;
  for (double& v : x) v = kWidth * stream.uniform();
  std::ranges::sort(x);
  const double place = 2 + 6 * stream.uniform();
  for (const double v : x) y.push_back(1 + (v > place ? 1.2 : 0) + stream.normal());
  ParameterSpace space;
  space.add("a", normal(0, kPriorSd)).add("b", normal(0, kPriorSd)).add("c", uniform(0, kWidth));
  auto model = lift(space, [=](std::span<const double> t) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double off = y[i] - t[0] - (x[i] > t[2] ? t[1] : 0);
      sum += off * off;
    }
    return -0.5 * (static_cast<double>(x.size()) * kLog2Pi + sum);
  });
  std::vector<double> terms;
  for (std::size_t k = 0; k <= x.size(); ++k) {  // the first k are not above
    std::vector<double> above(x.size(), 0.0);
    std::fill(above.begin() + static_cast<std::ptrdiff_t>(k), above.end(), 1.0);
    const double low = k == 0 ? 0 : x[k - 1], high = k == x.size() ? kWidth : x[k];
    const std::vector<std::vector<double>> columns = {std::vector<double>(x.size(), 1.0), above};
    terms.push_back(std::log((high - low) / kWidth) + log_linear_evidence(products(columns, y), 1, kPriorSd));
  }
  return {name, model, log_sum_exp(terms), 0, "closed form: a sum over the places of the threshold"};
}

/// N(0, 0.5^2 I) on U(-5, 5)^4, times e^8 beyond a plane one unit, two standard deviations, away.
Problem step_in_space(std::uint64_t instance) {
  constexpr std::size_t kD = 4;
  constexpr double kSd = 0.5, kRise = 8, kAway = 1;
  const std::string name = "step in space d=4";
  Stream stream = numbers_of(name, instance);
  std::vector<double> axis(kD);
  for (double& a : axis) a = stream.normal();
  const double length = std::sqrt(std::inner_product(axis.begin(), axis.end(), axis.begin(), 0.0));
  for (double& a : axis) a /= length;
  auto model = lift(alike(kD, uniform(-5, 5)), [=](std::span<const double> t) {
    double sum = 0, along = 0;
    for (std::size_t j = 0; j < kD; ++j) {
      sum += log_normal_density(t[j], 0, kSd);
      along += axis[j] * t[j];
    }
    return sum + (along > kAway ? kRise : 0);
  });
  const double exact = std::log1p(std::expm1(kRise) * normal_cdf(-kAway / kSd)) - kD * std::log(10.0);
  return {name, model, exact, 0, "closed form: a normal probability; less than 1e-20 lies outside"};
}

}  // namespace

SuiteEntries discontinuities() {
  const std::string family = "discontinuities";
  return {drawn_entry(family, "1 change point", [](std::uint64_t instance) { return change_points(1, instance); }),
          drawn_entry(family, "2 change points", [](std::uint64_t instance) { return change_points(2, instance); }),
          drawn_entry(family, "threshold d=3", threshold), drawn_entry(family, "step in space d=4", step_in_space)};
}

}  // namespace evident::problems
