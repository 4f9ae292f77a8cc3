// Slope and curvature of a log density at a point, by differences over steps that fit its width.
//
//   if (const auto at = differences(density, z, value, widths)) newton_step = at->bend.ldlt().solve(at->slope);
#pragma once

#include <Eigen/Dense>
#include <optional>
#include <span>
#include <vector>

#include "scout/log_density.hpp"

namespace evident {

inline constexpr double kFirstStep = 0.01;  ///< of a width: where the search for steps that fit begins

struct Differences {
  std::vector<double> step;  ///< along each coordinate; what follows is in units of these steps
  Eigen::VectorXd slope;
  Eigen::MatrixXd bend;  ///< minus the second derivatives
};

/// By how much the log density falls over one step: much against rounding, little against its shape.
inline constexpr double kUsualDrop = 0.1;

/// `value` is the log density at z, `widths` a rough scale of each coordinate. Nothing where the density does not bend
/// downwards along every coordinate, or is not finite nearby.
std::optional<Differences> differences(const LogDensity& density, std::span<const double> z, double value,
                                       std::span<const double> widths, double drop = kUsualDrop);

}  // namespace evident
