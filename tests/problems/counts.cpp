// Counts and yes-or-no data.
#include <cmath>

#include "dist/special.hpp"
#include "evident/base/log_math.hpp"
#include "problems/families.hpp"
#include "problems/quadrature.hpp"
#include "problems/written.hpp"

namespace evident::problems {
namespace {

/// By multiplication, as the means are small.
double poisson_draw(Stream& stream, double mean) {
  const double stop = std::exp(-mean);
  double product = stream.uniform(), count = 0;
  for (; product > stop; ++count) product *= stream.uniform();
  return count;
}

/// Counts y_ji ~ Poisson(rate_j), i = 1 .. each, rate_j ~ gamma(shape, rate).
Problem poisson_rates(const std::string& name, std::uint64_t instance, std::size_t d, std::size_t each, double shape,
                      double rate) {
  Stream stream = numbers_of(name, instance);
  std::vector<double> sums(d, 0.0);
  double factorials = 0;
  for (std::size_t j = 0; j < d; ++j)
    for (std::size_t i = 0; i < each; ++i) {
      const double count = poisson_draw(stream, 0.5 + 0.5 * static_cast<double>(j));
      sums[j] += count;
      factorials += dist::log_gamma(count + 1);
    }
  const auto n = static_cast<double>(each);
  double exact = -factorials;
  for (const double s : sums)
    exact +=
        shape * std::log(rate) - dist::log_gamma(shape) + dist::log_gamma(shape + s) - (shape + s) * std::log(rate + n);
  auto model = by_point(
      alike(d, gamma_rate(shape, rate), "rate"),
      [=](std::span<const double> t) {
        double sum = -factorials;
        for (std::size_t j = 0; j < d; ++j) sum += sums[j] * std::log(t[j]) - n * t[j];
        return sum;
      },
      [=](std::span<const double> t, std::span<double> out) {
        for (std::size_t j = 0; j < d; ++j) out[j] = sums[j] / t[j] - n;
      });
  return {name, model, exact, 0, "closed form: negative binomial counts"};
}

/// Yes-or-no data with probability 1 / (1 + exp(-a - b x)), a and b ~ N(0, 5^2).
Problem logistic_regression(const std::string& name, std::size_t rows, std::uint64_t instance) {
  constexpr double kPriorSd = 5;
  const double far = 20 * std::sqrt(50 / static_cast<double>(rows));  // panels that fit the width of the posterior
  Stream stream = numbers_of(name, instance);
  std::vector<double> x(rows), sign(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = stream.normal();
    sign[i] = stream.uniform() < 1 / (1 + std::exp(-0.5 - x[i])) ? 1 : -1;
  }
  const auto log_likelihood = [=](double a, double b) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum -= std::log1p(std::exp(-sign[i] * (a + b * x[i])));
    return sum;
  };
  auto model = by_point(
      alike(2, normal(0, kPriorSd), "b"), [=](std::span<const double> t) { return log_likelihood(t[0], t[1]); },
      [=](std::span<const double> t, std::span<double> out) {
        out[0] = out[1] = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
          const double slope = sign[i] / (1 + std::exp(sign[i] * (t[0] + t[1] * x[i])));
          out[0] += slope;
          out[1] += slope * x[i];
        }
      });
  const auto edges = panels(-far, far, 20);
  const double exact = log_integral(
      [&](double a) {
        return log_normal_density(a, 0, kPriorSd) +
               log_integral([&](double b) { return log_normal_density(b, 0, kPriorSd) + log_likelihood(a, b); }, edges);
      },
      edges);
  return {name, model, exact, 1e-8, "two-dimensional quadrature"};
}

SuiteEntry poisson_entry(const std::string& family, const std::string& name, std::size_t d, std::size_t each,
                         double shape, double rate) {
  return drawn_entry(family, name,
                     [=](std::uint64_t instance) { return poisson_rates(name, instance, d, each, shape, rate); });
}

SuiteEntry logistic(const std::string& family, const std::string& name, std::size_t rows) {
  return drawn_entry(family, name, [=](std::uint64_t instance) { return logistic_regression(name, rows, instance); });
}

}  // namespace

SuiteEntries counts() {
  const std::string family = "counts";
  return {fixed_entry(family, "beta-bernoulli a=1 b=1", [] { return beta_bernoulli(1, 1); }),
          fixed_entry(family, "beta-bernoulli a=30 b=30", [] { return beta_bernoulli(30, 30); }),
          poisson_entry(family, "Poisson, one rate", 1, 20, 2, 0.5),
          poisson_entry(family, "Poisson, 10 rates", 10, 2, 0.5, 0.1), logistic(family, "logistic regression d=2", 50)};
}

SuiteEntries more_counts(ParameterDraws& draws) {
  const double a = draws.by_factor(0.3, 50), b = draws.by_factor(0.3, 50);
  const std::size_t rates = draws.whole(2, 15, {10}), rows = draws.whole(20, 200);
  return {fixed_entry(draws.family(), "beta-bernoulli a=" + shown(a) + " b=" + shown(b),
                      [=] { return beta_bernoulli(a, b); }),
          poisson_entry(draws.family(), "Poisson, " + std::to_string(rates) + " rates", rates, 2, 0.5, 0.1),
          logistic(draws.family(), "logistic regression d=2 rows=" + std::to_string(rows), rows)};
}

}  // namespace evident::problems
