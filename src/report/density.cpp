#include "report/density.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/statistics.hpp"

namespace evident::report {
namespace {

constexpr std::size_t kNearPoints = 100, kWidePoints = 60;

struct Bounds {
  double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
};

std::vector<double> finite_sorted(std::span<const double> values) {
  std::vector<double> out;
  for (const double v : values)
    if (std::isfinite(v)) out.push_back(v);
  std::ranges::sort(out);
  return out;
}

/// Silverman's rule with the smaller of two measures of spread.
double bandwidth(const std::vector<double>& sorted) {
  const auto n = static_cast<double>(sorted.size());
  const double centre = mean(sorted);
  double squares = 0;
  for (const double v : sorted) squares += (v - centre) * (v - centre);
  const double sd = std::sqrt(squares / n),
               quartiles = (quantile_of_sorted(sorted, 0.75) - quantile_of_sorted(sorted, 0.25)) / 1.349;
  return 0.9 * (quartiles > 0 ? std::min(sd, quartiles) : sd) * std::pow(n, -0.2);
}

/// A prior ends sharply where its outermost draws lie close together.
Bounds bounds_of(const std::vector<double>& prior, const std::vector<double>& posterior) {
  Bounds b;
  constexpr double kSharp = 0.05;
  if (prior.size() < 100) return b;
  const double least = prior.front(), most = prior.back(), middle = quantile_of_sorted(prior, 0.5);
  if (quantile_of_sorted(prior, 0.01) - least < kSharp * (middle - least)) b.lower = std::min(least, posterior.front());
  if (most - quantile_of_sorted(prior, 0.99) < kSharp * (most - middle)) b.upper = std::max(most, posterior.back());
  if (least >= 0 && least < kSharp * middle && posterior.front() >= 0) b.lower = 0;
  if (b.lower == 0 && most <= 1 && most > 1 - kSharp && posterior.back() <= 1 && b.upper <= 1) b.upper = 1;
  return b;
}

double kernel_sum(const std::vector<double>& sorted, double x, double width) {
  constexpr double kReach = 5;
  double sum = 0;
  for (auto i = std::ranges::lower_bound(sorted, x - kReach * width); i != sorted.end() && *i < x + kReach * width; ++i)
    sum += std::exp(-0.5 * (x - *i) * (x - *i) / (width * width));
  return sum / (static_cast<double>(sorted.size()) * width * std::sqrt(2 * std::numbers::pi));
}

double density(const std::vector<double>& sorted, double x, double width, const Bounds& b) {
  if (x < b.lower || x > b.upper) return 0;
  double out = kernel_sum(sorted, x, width);
  if (std::isfinite(b.lower)) out += kernel_sum(sorted, 2 * b.lower - x, width);
  if (std::isfinite(b.upper)) out += kernel_sum(sorted, 2 * b.upper - x, width);
  return out;
}

void add_points(double low, double high, std::size_t count, std::vector<double>& x) {
  for (std::size_t i = 0; i < count; ++i)
    x.push_back(low + (high - low) * static_cast<double>(i) / static_cast<double>(count - 1));
}

}  // namespace

DensityCurves density_curves(std::span<const double> posterior, std::span<const double> prior) {
  DensityCurves out;
  const std::vector<double> after = finite_sorted(posterior), before = finite_sorted(prior);
  if (after.size() < 2) return out;
  const double width = bandwidth(after), prior_width = before.empty() ? 0 : bandwidth(before);
  if (!(width > 0) || !std::isfinite(width)) return out;
  const Bounds b = bounds_of(before, after);
  out.near_low = std::max(b.lower, quantile_of_sorted(after, 0.002) - 3 * width);
  out.near_high = std::min(b.upper, quantile_of_sorted(after, 0.998) + 3 * width);
  out.wide_low = out.near_low;
  out.wide_high = out.near_high;
  add_points(out.near_low, out.near_high, kNearPoints, out.x);
  const bool with_prior = prior_width > 0 && std::isfinite(prior_width);
  if (with_prior) {
    const auto bounded = [&](double p) { return std::clamp(quantile_of_sorted(before, p), b.lower, b.upper); };
    out.wide_low = std::min(out.near_low, std::isfinite(b.lower) ? b.lower : bounded(0.02));
    out.wide_high = std::max(out.near_high, std::isfinite(b.upper) ? b.upper : bounded(0.98));
    add_points(out.wide_low, out.wide_high, kWidePoints, out.x);
    std::ranges::sort(out.x);
  }
  for (const double x : out.x) {
    out.posterior.push_back(density(after, x, width, b));
    if (with_prior) out.prior.push_back(density(before, x, prior_width, b));
  }
  return out;
}

}  // namespace evident::report
