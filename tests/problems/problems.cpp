#include "problems/problems.hpp"

#include <cmath>
#include <cstdio>
#include <numbers>

#include "evident/base/log_math.hpp"
#include "evident/model/model.hpp"
#include "problems/written.hpp"

namespace evident::problems {
namespace {

double log_normal(double x, double mean, double variance) {
  return -0.5 * (kLog2Pi + std::log(variance) + (x - mean) * (x - mean) / variance);
}

std::string component(const char* name, std::size_t j) { return std::string(name).append(std::to_string(j + 1)); }

class ConjugateNormal final : public Model {
 public:
  static constexpr double kPriorSd = 2;

  ConjugateNormal(std::size_t n, std::size_t d) : n_(n), y_(n * d) {
    for (std::size_t j = 0; j < d; ++j) space_.add(component("mu", j), normal(0, kPriorSd));
    Stream s = Streams({.seed = 20160101}).at({.purpose = Purpose::simulate});
    for (double& v : y_) v = 1.0 + s.normal();
  }
  const ParameterSpace& parameters() const override { return space_; }
  void log_likelihood(ConstBlock theta, std::span<double> out) const override {
    for (std::size_t i = 0; i < theta.size(); ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < theta.rows(); ++j)
        for (std::size_t k = 0; k < n_; ++k) sum += log_normal(y(j, k), theta(j, i), 1);
      out[i] = sum;
    }
  }
  std::size_t observation_count() const override { return n_; }
  bool has_sequence() const override { return true; }
  void log_likelihood_of(ConstBlock theta, std::size_t first, std::size_t count, std::span<double> out) const override {
    for (std::size_t i = 0; i < theta.size(); ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < theta.rows(); ++j)
        for (std::size_t k = first; k < first + count; ++k) sum += log_normal(y(j, k), theta(j, i), 1);
      out[i] = sum;
    }
  }
  bool has_gradient() const override { return true; }
  void gradient(ConstBlock theta, Block d_log_prior, Block d_log_likelihood) const override {
    parameters().gradient(theta, d_log_prior);
    for (std::size_t i = 0; i < theta.size(); ++i)
      for (std::size_t j = 0; j < theta.rows(); ++j) {
        double sum = 0;
        for (std::size_t k = 0; k < n_; ++k) sum += y(j, k) - theta(j, i);
        d_log_likelihood(j, i) = sum;
      }
  }
  // p(y) one observation at a time: each predictive is normal.
  double exact() const {
    double sum = 0;
    for (std::size_t j = 0; j < space_.size(); ++j) {
      double mean = 0, precision = 1 / (kPriorSd * kPriorSd);
      for (std::size_t k = 0; k < n_; ++k) {
        sum += log_normal(y(j, k), mean, 1 + 1 / precision);
        mean = (mean * precision + y(j, k)) / (precision + 1);
        precision += 1;
      }
    }
    return sum;
  }

 private:
  double y(std::size_t j, std::size_t k) const { return y_[j * n_ + k]; }
  std::size_t n_;
  std::vector<double> y_;
  ParameterSpace space_;
};

/// Likelihood N(theta_j; centre, variance) for each coordinate, prior N(0, 1).
Problem gaussian(const std::string& name, std::size_t d, double centre, double variance) {
  ParameterSpace space;
  for (std::size_t j = 0; j < d; ++j) space.add(component("x", j), normal(0, 1));
  auto model = by_point(
      space,
      [=](std::span<const double> t) {
        double sum = 0;
        for (const double x : t) sum += log_normal(x, centre, variance);
        return sum;
      },
      [=](std::span<const double> t, std::span<double> out) {
        for (std::size_t j = 0; j < t.size(); ++j) out[j] = (centre - t[j]) / variance;
      });
  return {name + " d=" + std::to_string(d), model, static_cast<double>(d) * log_normal(centre, 0, 1 + variance), 0,
          "closed form: a normal of variance 1 + that of the likelihood"};
}

}  // namespace

Problem conjugate_normal(std::size_t n, std::size_t d) {
  auto model = std::make_shared<ConjugateNormal>(n, d);
  const double exact = model->exact();
  return {"conjugate normal n=" + std::to_string(n) + " d=" + std::to_string(d), model, exact, 0,
          "closed form: a product of normal predictive densities"};
}

Problem beta_bernoulli(double a, double b) {
  ParameterSpace space;
  space.add("p", beta(a, b));
  auto model = lift(space, [](std::span<const double> t) { return 50 * std::log(t[0]) + 50 * std::log1p(-t[0]); });
  const auto log_gamma = [](double x) {
    int sign = 0;
    return ::lgamma_r(x, &sign);  // std::lgamma writes a global
  };
  const auto log_beta = [&](double x, double y) { return log_gamma(x) + log_gamma(y) - log_gamma(x + y); };
  char name[64];
  std::snprintf(name, sizeof name, "beta-bernoulli a=%g b=%g", a, b);
  return {name, model, log_beta(a + 50, b + 50) - log_beta(a, b), 0, "closed form: a ratio of beta functions"};
}

Problem correlated_gaussian() {
  constexpr double kRho = 0.95;
  ParameterSpace space;
  for (std::size_t j = 0; j < 3; ++j) space.add(component("x", j), uniform(-10, 10));
  // The equicorrelated precision is a I + b 11'.
  const double a = 1 / (1 - kRho), b = -kRho / ((1 - kRho) * (1 + 2 * kRho));
  const double log_det = 2 * std::log(1 - kRho) + std::log(1 + 2 * kRho);
  auto model = lift(space, [=](std::span<const double> t) {
    const double u[3] = {t[0] + 1, t[1], t[2] - 1};
    const double sum = u[0] + u[1] + u[2];
    const double form = a * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) + b * sum * sum;
    return -0.5 * (3 * kLog2Pi + log_det + form);
  });
  return {"correlated gaussian", model, -3 * std::log(20.0), 0,
          "closed form: a density within a box; less than 1e-17 lies outside"};
}

Problem eggbox() {
  ParameterSpace space;
  space.add("x", uniform(0, 10 * std::numbers::pi)).add("y", uniform(0, 10 * std::numbers::pi));
  auto model = lift(space, [](std::span<const double> t) {
    const double base = 2 + std::cos(t[0] / 2) * std::cos(t[1] / 2);
    return std::pow(base, 5);
  });
  return {"eggbox", model, 235.85594, 1e-5, "two-dimensional quadrature"};
}

Problem two_modes() {
  constexpr std::size_t kD = 8;
  ParameterSpace space;
  for (std::size_t j = 0; j < kD; ++j) space.add(component("x", j), uniform(-10, 10));
  auto model = lift(space, [](std::span<const double> t) {
    double low = std::log(0.3), high = std::log(0.7);
    for (const double x : t) {
      low += log_normal(x, -5, 0.25);
      high += log_normal(x, 5, 0.25);
    }
    return log_add_exp(low, high);
  });
  return {"two modes", model, -8 * std::log(20.0), 0,
          "closed form: a density within a box; less than 1e-20 lies outside"};
}

Problem narrow_gaussian(std::size_t d) { return gaussian("narrow gaussian", d, 1, 0.01); }

Problem unit_gaussian(std::size_t d) { return gaussian("unit gaussian", d, 0, 1); }

Problem equicorrelated_gaussian(std::size_t d) {
  constexpr double kRho = 0.4, kVariance = 0.09;
  ParameterSpace space;
  for (std::size_t j = 0; j < d; ++j) space.add(component("x", j), uniform(-5, 5));
  const auto n = static_cast<double>(d);
  const double spread = 1 + (n - 1) * kRho;
  const double log_det = n * std::log(kVariance) + (n - 1) * std::log(1 - kRho) + std::log(spread);
  auto model = lift(space, [=](std::span<const double> t) {
    double sum = 0, squares = 0;
    for (const double x : t) sum += x, squares += x * x;
    const double form = (squares - kRho * sum * sum / spread) / ((1 - kRho) * kVariance);
    return -0.5 * (n * kLog2Pi + log_det + form);
  });
  return {"equicorrelated gaussian d=" + std::to_string(d), model, -n * std::log(10.0), 0,
          "closed form: a density within a box; less than 1e-50 lies outside"};
}

Problem rosenbrock_pairs(std::size_t d) {
  ParameterSpace space;
  for (std::size_t j = 0; j < d; ++j) space.add(component("x", j), uniform(-10, 10));
  auto model = by_point(
      space,
      [](std::span<const double> t) {
        double sum = 0;
        for (std::size_t j = 0; j + 1 < t.size(); j += 2) {
          const double off = t[j] * t[j] - t[j + 1], along = t[j] - 1;
          sum -= 10 * off * off + along * along;
        }
        return sum;
      },
      [](std::span<const double> t, std::span<double> out) {
        for (std::size_t j = 0; j + 1 < t.size(); j += 2) {
          const double off = t[j] * t[j] - t[j + 1];
          out[j] = -40 * off * t[j] - 2 * (t[j] - 1);
          out[j + 1] = 20 * off;
        }
      });
  // Over the second coordinate the integral is a difference of error functions; over the first the trapezoid is as good
  // as exact, because nothing is left at the ends.
  constexpr int kPoints = 200000;
  double sum = 0;
  for (int i = 1; i < kPoints; ++i) {
    const double x = -10 + 20.0 * i / kPoints, root = std::sqrt(10.0);
    const double inner = std::erf(root * (10 - x * x)) + std::erf(root * (10 + x * x));
    sum += std::exp(-(x - 1) * (x - 1)) * 0.5 * std::sqrt(std::numbers::pi / 10) * inner * 20.0 / kPoints;
  }
  return {"rosenbrock pairs d=" + std::to_string(d), model, static_cast<double>(d / 2) * std::log(sum / 400), 1e-9,
          "error functions in one coordinate, the trapezoid in the other"};
}

Problem log_exponential(std::size_t d) {
  ParameterSpace space;
  for (std::size_t j = 0; j < d; ++j) space.add(component("x", j), uniform(-30, 10));
  auto model = lift(space, [](std::span<const double> t) {
    double sum = 0;
    for (const double x : t) sum += x - std::exp(x);
    return sum;
  });
  return {"log exponential d=" + std::to_string(d), model, -static_cast<double>(d) * std::log(40.0), 1e-12,
          "closed form: a density within a box"};
}

Problem spike_in_normal(std::size_t d, double sd, double odds, double offset) {
  ParameterSpace space;
  for (std::size_t j = 0; j < d; ++j) space.add(component("x", j), uniform(-6, 6));
  auto model = lift(space, [sd, odds, offset](std::span<const double> t) {
    double square = 0, square_off = 0;
    for (const double x : t) square += x * x, square_off += (x - offset) * (x - offset);
    const auto n = static_cast<double>(t.size());
    const double broad = -0.5 * (n * kLog2Pi + square);
    const double narrow = std::log(odds) - n * std::log(sd) - 0.5 * (n * kLog2Pi + square_off / (sd * sd));
    return log_add_exp(broad, narrow);
  });
  char name[64];
  std::snprintf(name, sizeof name, "spike in normal d=%zu sd=%g off=%g", d, sd, offset);
  return {name, model, std::log1p(odds) - static_cast<double>(d) * std::log(12.0), 2e-9 * static_cast<double>(d),
          "closed form: two densities within a box; 2e-9 for each coordinate lies outside"};
}

Problem possible_square(double share, double left, double low) {
  ParameterSpace space;
  for (const char* name : {"x1", "x2"}) space.add(name, uniform(0, 1));
  auto model = lift(space, [=, side = std::sqrt(share)](std::span<const double> t) {
    const double u = (t[0] - left) / side, v = (t[1] - low) / side;
    return u > 0 && u < 1 && v > 0 && v < 1 ? std::log(36 * u * (1 - u) * v * (1 - v)) : -kInf;
  });
  return {"possible square", model, std::log(share), 0, "closed form: a density on a part of the prior"};
}

}  // namespace evident::problems
