#include "dist/samplers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "evident/base/log_math.hpp"

namespace evident::dist {
namespace {

constexpr double kSmallest = std::numeric_limits<double>::min();
constexpr double kLargest = std::numeric_limits<double>::max();

/// Marsaglia & Tsang (2000), shape >= 1, rate one.
double draw_gamma_large_shape(Stream& stream, double shape) {
  const double d = shape - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double z = stream.normal();
    const double root = 1 + c * z;
    if (root <= 0) continue;
    const double v = root * root * root;
    if (std::log(stream.uniform()) < 0.5 * z * z + d * (1 - v + std::log(v))) return d * v;
  }
}

}  // namespace

double clamp_positive(double x) { return std::clamp(x, kSmallest, kLargest); }
double clamp_finite(double x) { return std::clamp(x, -kLargest, kLargest); }
double clamp_unit(double x) { return std::clamp(x, kSmallest, 1 - 0.5 * std::numeric_limits<double>::epsilon()); }

double draw_log_gamma(Stream& stream, double shape) {
  if (shape >= 1) return std::log(draw_gamma_large_shape(stream, shape));
  // G(shape) = G(shape + 1) U^(1/shape); the power is taken as a logarithm because it underflows for small shapes.
  const double boost = std::log(stream.uniform()) / shape;
  return std::max(std::log(draw_gamma_large_shape(stream, shape + 1)) + boost, -kLargest);
}

double draw_gamma(Stream& stream, double shape, double scale) {
  if (shape >= 1) return clamp_positive(scale * draw_gamma_large_shape(stream, shape));
  return clamp_positive(std::exp(std::log(scale) + draw_log_gamma(stream, shape)));
}

double draw_beta(Stream& stream, double a, double b) {
  const double log_x = draw_log_gamma(stream, a), log_y = draw_log_gamma(stream, b);
  // x / (x + y), written so that neither exponential overflows.
  const double d = log_y - log_x;
  return clamp_unit(d > 0 ? std::exp(-d) / (1 + std::exp(-d)) : 1 / (1 + std::exp(d)));
}

double draw_student_t(Stream& stream, double df) {
  const double z = stream.normal();
  const double log_scale = 0.5 * (std::log(0.5 * df) - draw_log_gamma(stream, 0.5 * df));
  return clamp_finite(z * clamp_positive(std::exp(log_scale)));
}

double draw_normal_tail_excess(Stream& stream, double near, double width) {
  const bool is_flat = width * (near + 0.5 * width) < 1;  // the density falls by less than a factor e
  const double rate = 0.5 * (near + std::hypot(near, 2.0));
  for (;;) {
    if (is_flat) {
      const double t = width * stream.uniform();
      if (std::log(stream.uniform()) <= -t * (near + 0.5 * t)) return t;
      continue;
    }
    // Exponential proposals of the best rate (Robert 1995).
    const double t = -std::log(stream.uniform()) / rate;
    if (t > width) continue;
    const double gap = t - 2 / (near + std::hypot(near, 2.0));  // z - rate, without cancellation
    if (std::log(stream.uniform()) <= -0.5 * gap * gap) return t;
  }
}

double draw_central_normal(Stream& stream, double a, double b) {
  for (;;) {
    if (b - a > 2.5) {
      const double z = stream.normal();
      if (z >= a && z <= b) return z;
    } else {
      const double z = a + (b - a) * stream.uniform();
      if (std::log(stream.uniform()) <= -0.5 * z * z) return z;
    }
  }
}

double draw_poisson(Stream& stream, double mean) {
  // Ahrens & Dieter (1974): jump over many arrivals with one gamma draw until the rest is small.
  double count = 0;
  while (mean > 16) {
    const double jump = std::floor(0.875 * mean);
    const double arrival = draw_gamma(stream, jump, 1);
    if (arrival > mean) return count + draw_binomial(stream, jump - 1, mean / arrival);
    count += jump;
    mean -= arrival;
  }
  for (double time = -std::log(stream.uniform()); time < mean; time -= std::log(stream.uniform())) ++count;
  return count;
}

double draw_binomial(Stream& stream, double n, double p) {
  // The middle order statistic of n uniforms is a beta draw and halves the problem (Devroye 1986, X.4).
  double count = 0;
  while (n > 24) {
    const double middle = std::floor(0.5 * n) + 1;
    const double x = draw_beta(stream, middle, n + 1 - middle);
    if (x <= p) {
      count += middle;
      n -= middle;
      p = std::min(1.0, (p - x) / (1 - x));
    } else {
      n = middle - 1;
      p = std::min(1.0, p / x);
    }
  }
  for (; n > 0; --n) count += stream.uniform() < p ? 1 : 0;
  return count;
}

}  // namespace evident::dist
