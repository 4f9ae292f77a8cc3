// Heavy tails in the prior, in the likelihood or in both.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "evident/base/log_math.hpp"
#include "problems/families.hpp"
#include "problems/quadrature.hpp"
#include "problems/written.hpp"

namespace evident::problems {
namespace {

/// log of the integral over the line of a function with heavy tails, which bends at the given places: x = sinh u.
double log_integral_of_line(const std::function<double(double)>& log_f, std::vector<double> bends) {
  for (double& b : bends) b = std::asinh(b);
  bends.insert(bends.end(), {-30, 0, 30});
  std::ranges::sort(bends);
  return log_integral([&](double u) { return log_f(std::sinh(u)) + std::log(std::cosh(u)); }, finer(bends, 200));
}

double log_cauchy_density(double x, double scale) {
  return -std::log(std::numbers::pi * scale) - std::log1p(x * x / (scale * scale));
}
/// Student's t with three degrees of freedom.
double log_t3_density(double x) { return -std::log(std::numbers::pi * std::sqrt(3.0) / 2) - 2 * std::log1p(x * x / 3); }

/// y ~ N(theta, 1), with as many data for each coordinate, theta_j ~ Cauchy(0, 1).
Problem cauchy_prior(const std::string& name, const std::vector<std::vector<double>>& y) {
  double exact = 0;
  for (const auto& own : y) {
    double mean = 0;
    for (const double v : own) mean += v / static_cast<double>(own.size());
    const double width = 1 / std::sqrt(static_cast<double>(own.size()));
    exact += log_integral_of_line(
        [&](double t) {
          double sum = log_cauchy_density(t, 1);
          for (const double v : own) sum += log_normal_density(v, t, 1);
          return sum;
        },
        {mean - width, mean, mean + width});
  }
  auto model = by_point(
      alike(y.size(), cauchy(0, 1), "theta"),
      [y](std::span<const double> t) {
        double sum = 0;
        for (std::size_t j = 0; j < y.size(); ++j)
          for (const double v : y[j]) sum += -0.5 * (kLog2Pi + (v - t[j]) * (v - t[j]));
        return sum;
      },
      [y](std::span<const double> t, std::span<double> out) {
        for (std::size_t j = 0; j < y.size(); ++j) {
          out[j] = 0;
          for (const double v : y[j]) out[j] += v - t[j];
        }
      });
  return {name, model, exact, 1e-10, "quadrature of each coordinate"};
}

Problem one_cauchy_prior(std::uint64_t instance) {
  const std::string name = "Cauchy prior, normal data";
  Stream stream = numbers_of(name, instance);
  std::vector<double> y(20);
  for (double& v : y) v = 1 + stream.normal();
  return cauchy_prior(name, {y});
}

/// theta_j ~ t3(0, 1), y_j ~ t3(theta_j, 1) with y_j between 5 and 15: prior and datum each have a mode.
Problem student_conflict(std::size_t d, std::uint64_t instance) {
  const std::string name = "Student conflict d=" + std::to_string(d);
  Stream stream = numbers_of(name, instance);
  std::vector<double> y(d);
  for (double& v : y) v = 5 + 10 * stream.uniform();
  double exact = 0;
  for (const double v : y)
    exact += log_integral_of_line([v](double t) { return log_t3_density(t) + log_t3_density(v - t); }, {v});
  auto model = by_point(
      alike(d, student_t(3, 0, 1), "theta"),
      [y](std::span<const double> t) {
        double sum = 0;
        for (std::size_t j = 0; j < y.size(); ++j) sum += log_t3_density(y[j] - t[j]);
        return sum;
      },
      [y](std::span<const double> t, std::span<double> out) {
        for (std::size_t j = 0; j < y.size(); ++j) out[j] = 4 * (y[j] - t[j]) / (3 + (y[j] - t[j]) * (y[j] - t[j]));
      });
  return {name, model, exact, 1e-10, "quadrature of each coordinate"};
}

/// Data far apart with Cauchy noise, location ~ N(0, 10^2): a mode at each of them.
Problem cauchy_location(const std::string& name, std::size_t count, double scale, std::uint64_t instance) {
  Stream stream = numbers_of(name, instance);
  std::vector<double> y(count);
  for (double& v : y) v = 30 * stream.uniform() - 15;
  const auto log_likelihood = [y, scale](double t) {
    double sum = 0;
    for (const double v : y) sum += log_cauchy_density(v - t, scale);
    return sum;
  };
  const double exact =
      log_integral_of_line([&](double t) { return log_likelihood(t) + log_normal_density(t, 0, 10); }, y);
  auto model = by_point(
      alike(1, normal(0, 10), "location"), [log_likelihood](std::span<const double> t) { return log_likelihood(t[0]); },
      [y, scale](std::span<const double> t, std::span<double> out) {
        out[0] = 0;
        for (const double v : y) out[0] += 2 * (v - t[0]) / (scale * scale + (v - t[0]) * (v - t[0]));
      });
  return {name, model, exact, 1e-10, "one-dimensional quadrature"};
}

SuiteEntry conflict(const std::string& family, std::size_t d) {
  return drawn_entry(family, "Student conflict d=" + std::to_string(d),
                     [d](std::uint64_t instance) { return student_conflict(d, instance); });
}

SuiteEntry location(const std::string& family, const std::string& name, std::size_t count, double scale) {
  return drawn_entry(family, name,
                     [=](std::uint64_t instance) { return cauchy_location(name, count, scale, instance); });
}

}  // namespace

SuiteEntries heavy_tails() {
  const std::string family = "heavy tails", ten = "ten Cauchy priors, data at 50";
  SuiteEntries out = {
      drawn_entry(family, "Cauchy prior, normal data", one_cauchy_prior),
      fixed_entry(family, ten, [ten] { return cauchy_prior(ten, std::vector<std::vector<double>>(10, {50.0})); }),
      location(family, "Cauchy location", 6, 0.3)};
  for (const std::size_t d : {2, 5, 20}) out.push_back(conflict(family, d));
  return out;
}

SuiteEntries more_heavy_tails(ParameterDraws& draws) {
  const std::size_t priors = draws.whole(1, 4);
  const double datum = draws.by_factor(5, 30);
  const std::string far = "Cauchy priors d=" + std::to_string(priors) + ", data at " + shown(datum);
  const std::size_t d = draws.whole(3, 10, {5}), count = draws.whole(3, 10);
  const double scale = draws.by_factor(0.1, 1);
  const std::string many = "Cauchy location n=" + std::to_string(count) + " scale=" + shown(scale);
  return {fixed_entry(draws.family(), far,
                      [=] {
                        return cauchy_prior(far, {priors, std::vector<double>{datum}});
                      }),
          conflict(draws.family(), d), location(draws.family(), many, count, scale)};
}

}  // namespace evident::problems
