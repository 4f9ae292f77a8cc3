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
/// N(0, 5^2). The data change by `jump`, up or down.
Problem change_points(const std::string& name, std::size_t changes, double jump, std::uint64_t instance) {
  Stream stream = numbers_of(name, instance);
  std::vector<std::size_t> places(changes);
  for (std::size_t& c : places) c = 5 + static_cast<std::size_t>(30 * stream.uniform());
  std::vector<double> y(kTimes);
  double level = 0;
  for (const Segment& s : segments(places)) {
    for (std::size_t t = s.first; t < s.last; ++t) y[t] = level + stream.normal();
    level += stream.uniform() < 0.5 ? -jump : jump;
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

/// y_i ~ N(a + b [x_i > c], 1), a and b ~ N(0, 3^2), c ~ U(0, 10). Of the data, b is `step`.
Problem threshold(const std::string& name, double step, std::uint64_t instance) {
  constexpr double kPriorSd = 3, kWidth = 10;
  Stream stream = numbers_of(name, instance);
  std::vector<double> x(25), y;
  for (double& v : x) v = kWidth * stream.uniform();
  std::ranges::sort(x);
  const double place = 2 + 6 * stream.uniform();
  for (const double v : x) y.push_back(1 + (v > place ? step : 0) + stream.normal());
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

/// N(0, 0.5^2 I) on U(-5, 5)^d, times e^rise beyond a plane that is `away` from 0.
Problem step_in_space(const std::string& name, std::size_t d, double rise, double away, std::uint64_t instance) {
  constexpr double kSd = 0.5;
  Stream stream = numbers_of(name, instance);
  std::vector<double> axis(d);
  for (double& a : axis) a = stream.normal();
  const double length = std::sqrt(std::inner_product(axis.begin(), axis.end(), axis.begin(), 0.0));
  for (double& a : axis) a /= length;
  auto model = lift(alike(d, uniform(-5, 5)), [=](std::span<const double> t) {
    double sum = 0, along = 0;
    for (std::size_t j = 0; j < d; ++j) {
      sum += log_normal_density(t[j], 0, kSd);
      along += axis[j] * t[j];
    }
    return sum + (along > away ? rise : 0);
  });
  const double exact = std::log1p(std::expm1(rise) * normal_cdf(-away / kSd)) - static_cast<double>(d) * std::log(10.0);
  return {name, model, exact, 0, "closed form: a normal probability; less than 1e-17 lies outside"};
}

SuiteEntry changes_entry(const std::string& family, const std::string& name, std::size_t changes, double jump) {
  return drawn_entry(family, name,
                     [=](std::uint64_t instance) { return change_points(name, changes, jump, instance); });
}

SuiteEntry threshold_entry(const std::string& family, const std::string& name, double step) {
  return drawn_entry(family, name, [=](std::uint64_t instance) { return threshold(name, step, instance); });
}

SuiteEntry step_entry(const std::string& family, const std::string& name, std::size_t d, double rise, double away) {
  return drawn_entry(family, name,
                     [=](std::uint64_t instance) { return step_in_space(name, d, rise, away, instance); });
}

}  // namespace

SuiteEntries discontinuities() {
  const std::string family = "discontinuities";
  return {changes_entry(family, "1 change point", 1, 1.5), changes_entry(family, "2 change points", 2, 1.5),
          threshold_entry(family, "threshold d=3", 1.2), step_entry(family, "step in space d=4", 4, 8, 1)};
}

SuiteEntries more_discontinuities(ParameterDraws& draws) {
  const std::size_t changes = draws.whole(1, 2);
  const double jump = draws.between(0.5, 3), step = draws.between(0.5, 3);
  const std::size_t d = draws.whole(2, 8);
  const double rise = draws.between(2, 10), away = draws.between(0.5, 1.5);
  return {changes_entry(draws.family(),
                        std::to_string(changes) + (changes == 1 ? " change" : " changes") + " jump=" + shown(jump),
                        changes, jump),
          threshold_entry(draws.family(), "threshold step=" + shown(step), step),
          step_entry(draws.family(),
                     "step in space d=" + std::to_string(d) + " rise=" + shown(rise) + " away=" + shown(away), d, rise,
                     away)};
}

}  // namespace evident::problems
