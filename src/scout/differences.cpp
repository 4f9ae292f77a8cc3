#include "scout/differences.hpp"

#include <algorithm>
#include <cmath>

namespace evident {
namespace {

constexpr int kTrials = 10;

/// Copies of z, one a column, to be changed coordinate by coordinate.
BlockStorage copies(std::span<const double> z, std::size_t count) {
  BlockStorage out(z.size(), count);
  for (std::size_t j = 0; j < z.size(); ++j) std::ranges::fill(out.row(j), z[j]);
  return out;
}

/// Points one step up and down each coordinate: columns 2j and 2j + 1.
BlockStorage steps_along(std::span<const double> z, std::span<const double> step) {
  BlockStorage out = copies(z, 2 * z.size());
  for (std::size_t j = 0; j < z.size(); ++j) {
    out(j, 2 * j) += step[j];
    out(j, 2 * j + 1) -= step[j];
  }
  return out;
}

struct Steps {
  std::vector<double> size;
  std::vector<double> values;  ///< at steps_along(z, size)
};

/// Steps over which the log density drops by about so much.
std::optional<Steps> find_steps(const LogDensity& density, std::span<const double> z, double value,
                                std::span<const double> widths, double wanted) {
  Steps out{{widths.begin(), widths.end()}, {}};
  for (double& s : out.size) s *= kFirstStep;
  for (int trial = 0; trial < kTrials; ++trial) {
    out.values = density.values(steps_along(z, out.size));
    bool fit = true;
    for (std::size_t j = 0; j < z.size(); ++j) {
      const double drop = value - 0.5 * (out.values[2 * j] + out.values[2 * j + 1]);
      if (drop > 0.2 * wanted && drop < 5 * wanted) continue;
      fit = false;
      out.size[j] *= drop > 0 ? std::clamp(std::sqrt(wanted / drop), 0.03, 30.0) : 30.0;
    }
    if (fit) return out;
  }
  return std::nullopt;
}

/// Minus the second derivatives, in units of the steps.
Eigen::MatrixXd from_gradients(const LogDensity& density, std::span<const double> z, const Steps& steps) {
  const std::size_t d = z.size();
  BlockStorage slopes(d, 2 * d);
  density.gradients(steps_along(z, steps.size), slopes);
  Eigen::MatrixXd out(d, d);
  for (std::size_t j = 0; j < d; ++j)
    for (std::size_t k = 0; k < d; ++k)
      out(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(k)) =
          -0.5 * steps.size[k] * (slopes(k, 2 * j) - slopes(k, 2 * j + 1));
  return 0.5 * (out + out.transpose());
}

Eigen::MatrixXd from_values(const LogDensity& density, std::span<const double> z, double value, const Steps& steps) {
  const std::size_t d = z.size();
  BlockStorage both = copies(z, d * (d - 1));  // a pair of coordinates up together, then down together
  std::size_t at = 0;
  for (std::size_t j = 0; j < d; ++j)
    for (std::size_t k = 0; k < j; ++k)
      for (const double sign : {1.0, -1.0}) {
        both(j, at) += sign * steps.size[j];
        both(k, at++) += sign * steps.size[k];
      }
  const std::vector<double> at_both = density.values(both);
  const auto along = [&](std::size_t j) { return steps.values[2 * j] + steps.values[2 * j + 1]; };
  Eigen::MatrixXd out(d, d);
  at = 0;
  for (std::size_t j = 0; j < d; ++j) {
    const auto row = static_cast<Eigen::Index>(j);
    out(row, row) = 2 * value - along(j);
    for (std::size_t k = 0; k < j; ++k, at += 2) {
      const auto column = static_cast<Eigen::Index>(k);
      out(row, column) = -0.5 * (at_both[at] + at_both[at + 1] - along(j) - along(k) + 2 * value);
      out(column, row) = out(row, column);
    }
  }
  return out;
}

Eigen::VectorXd slope_at(const LogDensity& density, std::span<const double> z, const Steps& steps) {
  const std::size_t d = z.size();
  Eigen::VectorXd out(static_cast<Eigen::Index>(d));
  BlockStorage gradient(d, 1);
  if (density.has_gradient()) density.gradients(copies(z, 1), gradient);
  for (std::size_t j = 0; j < d; ++j)
    out(static_cast<Eigen::Index>(j)) =
        density.has_gradient() ? steps.size[j] * gradient(j, 0) : 0.5 * (steps.values[2 * j] - steps.values[2 * j + 1]);
  return out;
}

}  // namespace

std::optional<Differences> differences(const LogDensity& density, std::span<const double> z, double value,
                                       std::span<const double> widths, double drop) {
  const auto steps = find_steps(density, z, value, widths, drop);
  if (!steps) return std::nullopt;
  Differences out{
      .step = steps->size,
      .slope = slope_at(density, z, *steps),
      .bend = density.has_gradient() ? from_gradients(density, z, *steps) : from_values(density, z, value, *steps)};
  if (!out.bend.allFinite() || !out.slope.allFinite()) return std::nullopt;
  return out;
}

}  // namespace evident
