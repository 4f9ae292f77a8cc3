// An independent implementation of every family: Boost.Math, in any number type.
#pragma once

#include <boost/math/distributions.hpp>
#include <string>
#include <vector>

#include "evident/dist/distribution.hpp"

namespace evident::reference {

namespace bm = boost::math;

/// Calls f with the Boost distribution that underlies `d`: of a half-family, the whole one.
template <class T, class F>
auto with_boost(const Distribution& d, F f) {
  std::vector<T> a;
  for (const Argument& argument : d.arguments()) a.push_back(T(argument.value));
  const std::string name(d.family().name());
  if (name == "normal") return f(bm::normal_distribution<T>(a[0], a[1]));
  if (name == "half-normal") return f(bm::normal_distribution<T>(0, a[0]));
  if (name == "lognormal") return f(bm::lognormal_distribution<T>(a[0], a[1]));
  if (name == "cauchy") return f(bm::cauchy_distribution<T>(a[0], a[1]));
  if (name == "half-cauchy") return f(bm::cauchy_distribution<T>(0, a[0]));
  if (name == "laplace") return f(bm::laplace_distribution<T>(a[0], a[1]));
  if (name == "logistic") return f(bm::logistic_distribution<T>(a[0], a[1]));
  if (name == "uniform") return f(bm::uniform_distribution<T>(a[0], a[1]));
  if (name == "beta") return f(bm::beta_distribution<T>(a[0], a[1]));
  if (name == "inverse-gamma") return f(bm::inverse_gamma_distribution<T>(a[0], a[1]));
  if (name == "exponential") return f(bm::exponential_distribution<T>(a[0]));
  if (name == "weibull") return f(bm::weibull_distribution<T>(a[0], a[1]));
  if (name == "bernoulli") return f(bm::binomial_distribution<T>(1, a[0]));
  if (name == "binomial") return f(bm::binomial_distribution<T>(a[0], a[1]));
  if (name == "poisson") return f(bm::poisson_distribution<T>(a[0]));
  if (name == "negative-binomial") return f(bm::negative_binomial_distribution<T>(a[1], a[1] / (a[0] + a[1])));
  if (name == "gamma") {
    const bool is_rate = d.family().arguments()[1] == "rate";
    return f(bm::gamma_distribution<T>(a[0], is_rate ? 1 / a[1] : a[1]));
  }
  throw std::logic_error("no reference for " + name);
}

inline bool is_half(const Distribution& d) { return d.family().name().starts_with("half-"); }

/// Density or mass.
template <class T>
T pdf(const Distribution& d, const T& x) {
  using std::log;
  using std::sqrt;
  std::vector<T> a;
  for (const Argument& argument : d.arguments()) a.push_back(T(argument.value));
  const std::string_view name = d.family().name();
  if (name == "student-t") return bm::pdf(bm::students_t_distribution<T>(a[0]), T((x - a[1]) / a[2])) / a[2];
  if (name == "half-student-t") return 2 * bm::pdf(bm::students_t_distribution<T>(a[0]), T(x / a[1])) / a[1];
  if (name == "log-uniform") return 1 / (x * log(T(a[1] / a[0])));
  if (name == "truncated-normal") {
    const bm::normal_distribution<T> normal(a[0], a[1]);
    // From the side on which the tail is small.
    const T mass = a[2] > a[0] ? T(bm::cdf(bm::complement(normal, a[2])) - bm::cdf(bm::complement(normal, a[3])))
                               : T(bm::cdf(normal, a[3]) - bm::cdf(normal, a[2]));
    return bm::pdf(normal, x) / mass;
  }
  return with_boost<T>(d, [&](const auto& boost) { return T((is_half(d) ? 2 : 1) * bm::pdf(boost, x)); });
}

inline double cdf(const Distribution& d, double x) {
  std::vector<double> a;
  for (const Argument& argument : d.arguments()) a.push_back(argument.value);
  const std::string_view name = d.family().name();
  const auto half = [](double p) { return 2 * p - 1; };
  if (name == "student-t") return bm::cdf(bm::students_t(a[0]), (x - a[1]) / a[2]);
  if (name == "half-student-t") return half(bm::cdf(bm::students_t(a[0]), x / a[1]));
  if (name == "log-uniform") return std::log(x / a[0]) / std::log(a[1] / a[0]);
  if (name == "truncated-normal") {
    const bm::normal normal(a[0], a[1]);
    if (a[2] > a[0]) {
      const double top = bm::cdf(bm::complement(normal, a[2]));
      return (top - bm::cdf(bm::complement(normal, x))) / (top - bm::cdf(bm::complement(normal, a[3])));
    }
    const double bottom = bm::cdf(normal, a[2]);
    return (bm::cdf(normal, x) - bottom) / (bm::cdf(normal, a[3]) - bottom);
  }
  const double p = with_boost<double>(d, [&](const auto& boost) { return double(bm::cdf(boost, x)); });
  return is_half(d) ? half(p) : p;
}

}  // namespace evident::reference
