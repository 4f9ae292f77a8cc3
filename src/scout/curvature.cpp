#include "scout/curvature.hpp"

#include <cmath>
#include <numbers>

#include "scout/differences.hpp"

namespace evident {

namespace {

std::optional<Curvature> curvature_of(const Differences& at) {
  const Eigen::LLT<Eigen::MatrixXd> factors(at.bend);
  if (factors.info() != Eigen::Success) return std::nullopt;
  const auto d = static_cast<Eigen::Index>(at.step.size());
  Eigen::MatrixXd inverse = factors.solve(Eigen::MatrixXd::Identity(d, d));
  for (Eigen::Index j = 0; j < d; ++j)
    for (Eigen::Index k = 0; k < d; ++k)
      inverse(j, k) *= at.step[static_cast<std::size_t>(j)] * at.step[static_cast<std::size_t>(k)];
  const Eigen::LLT<Eigen::MatrixXd> spread(inverse);
  if (spread.info() != Eigen::Success) return std::nullopt;
  const Eigen::MatrixXd root = spread.matrixL();
  Curvature out{std::vector<double>(at.step.size() * at.step.size(), 0.0),
                0.5 * static_cast<double>(d) * std::log(2 * std::numbers::pi)};
  for (Eigen::Index j = 0; j < d; ++j) {
    out.log_volume += std::log(root(j, j));
    for (Eigen::Index k = 0; k <= j; ++k) out.root[static_cast<std::size_t>(j * d + k)] = root(j, k);
  }
  return out;
}

}  // namespace

std::optional<Curvature> curvature(const LogDensity& density, std::span<const double> z, double value,
                                   std::span<const double> widths) {
  // The usual steps may reach beyond a low mode, to where the density rises again.
  for (const double drop : {kUsualDrop, 0.01 * kUsualDrop})
    if (const auto at = differences(density, z, value, widths, drop))
      if (auto found = curvature_of(*at)) return found;
  return std::nullopt;
}

}  // namespace evident
