#include "scout/newton.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "scout/differences.hpp"

namespace evident {
namespace {

constexpr double kNoGain = 1e-7;
constexpr std::size_t kDampings = 20;  // the last one is none
constexpr double kNextDamping = 0.3;   // of the one before
constexpr double kFlattest = 1e-10;    // of the largest curvature: flatter directions count as this

/// The ends of steps from z, one a column, from the most damped one to Newton's own. A direction in which the density
/// bends upwards is walked uphill like any other.
BlockStorage ends_of_steps(const Differences& at, std::span<const double> z) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> axes(at.bend);
  const Eigen::VectorXd along = axes.eigenvectors().transpose() * at.slope;
  const double most = axes.eigenvalues().cwiseAbs().maxCoeff();
  BlockStorage out(z.size(), kDampings);
  double damping = most;
  for (std::size_t i = 0; i < kDampings; ++i, damping *= kNextDamping) {
    if (i + 1 == kDampings) damping = 0;
    const Eigen::VectorXd bend = axes.eigenvalues().cwiseAbs().cwiseMax(kFlattest * most).array() + damping;
    const Eigen::VectorXd step = axes.eigenvectors() * along.cwiseQuotient(bend);
    for (std::size_t j = 0; j < z.size(); ++j) out(j, i) = z[j] + at.step[j] * step(static_cast<Eigen::Index>(j));
  }
  return out;
}

}  // namespace

Climb newton_climb(const LogDensity& density, std::vector<double> z, double value, std::span<const double> widths,
                   std::size_t most) {
  Climb out{.x = std::move(z), .value = value};
  std::vector<double> scale(widths.begin(), widths.end());
  const std::size_t before = density.evaluations();
  while (density.evaluations() - before < most) {
    const auto at = differences(density, out.x, out.value, scale);
    if (!at) break;
    for (std::size_t j = 0; j < scale.size(); ++j) scale[j] = at->step[j] / kFirstStep;
    const BlockStorage ends = ends_of_steps(*at, out.x);
    const std::vector<double> values = density.values(ends);
    const auto highest = std::ranges::max_element(values, [](double a, double b) { return a < b || std::isnan(a); });
    const double gain = *highest - out.value;
    if (gain > 0) {
      for (std::size_t j = 0; j < out.x.size(); ++j)
        out.x[j] = ends(j, static_cast<std::size_t>(highest - values.begin()));
      out.value = *highest;
    }
    out.converged = !(gain > kNoGain);
    if (out.converged) break;
  }
  return out;
}

}  // namespace evident
