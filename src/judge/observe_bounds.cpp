#include <algorithm>
#include <cmath>

#include "base/statistics.hpp"
#include "judge/observations.hpp"
#include "judge/thresholds.hpp"

namespace evident {
namespace {

constexpr std::size_t kPriorDraws = 4096;

/// A parameter with two finite bounds, which may depend on other parameters.
struct Bounds {
  std::vector<double> lower, upper;  ///< of each draw; empty when there are none
};

/// The values that theta_row takes when its coordinate of z goes far out; the same twice means that there is a bound.
std::vector<double> limit(const ParameterSpace& space, ConstBlock z, std::size_t free_row, std::size_t row,
                          double sign) {
  std::vector<double> ends[2];
  for (int k = 0; k < 2; ++k) {
    BlockStorage far(z.rows(), z.size()), theta(space.size(), z.size());
    AlignedVector<double> log_jacobian(z.size());
    for (std::size_t r = 0; r < z.rows(); ++r) std::ranges::copy(z.row(r), far.row(r).begin());
    std::ranges::fill(far.row(free_row), sign * (k + 1) * 1000);
    space.constrain(far, theta, log_jacobian);
    ends[k].assign(theta.row(row).begin(), theta.row(row).end());
  }
  for (std::size_t i = 0; i < z.size(); ++i)
    if (!std::isfinite(ends[0][i]) || ends[0][i] != ends[1][i]) return {};
  return ends[0];
}

Bounds bounds_of(const ParameterSpace& space, ConstBlock theta, std::size_t free_row, std::size_t row) {
  BlockStorage z(space.free_size(), theta.size());
  space.unconstrain(theta, z);
  Bounds b{limit(space, z, free_row, row, -1), limit(space, z, free_row, row, 1)};
  if (b.lower.empty() || b.upper.empty()) return {};
  return b;
}

/// Share of the draws within `edge` of a bound.
double share_near(std::span<const double> x, std::span<const double> bound, std::span<const double> weights,
                  double edge) {
  double near = 0, all = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double w = weights.empty() ? 1 : weights[i];
    all += w;
    if (std::abs(x[i] - bound[i]) < edge) near += w;
  }
  return near / all;
}

}  // namespace

std::vector<BoundNumbers> observe_bounds(const Model& model, ConstBlock theta, std::span<const double> weights,
                                         const Context& context) {
  std::vector<BoundNumbers> out;
  const ParameterSpace& space = model.parameters();
  BlockStorage prior(space.size(), kPriorDraws);
  model.draw_prior(context.streams.part(0x626f756e64), 0, prior);
  for (std::size_t f = 0; f < space.free_size(); ++f) {
    const std::size_t row = space.index(space.free_names()[f]);
    // Components of a simplex move together, so that far out says nothing of one alone.
    if (space.prior_text(row).starts_with("dirichlet")) continue;
    const Bounds here = bounds_of(space, theta, f, row);
    if (here.lower.empty()) continue;
    const Bounds before = bounds_of(space, prior, f, row);
    if (before.lower.empty()) continue;
    const double edge = threshold("edge") * weighted_standard_deviation(theta.row(row), weights);
    for (const bool upper : {false, true}) {
      const double share = share_near(theta.row(row), upper ? here.upper : here.lower, weights, edge);
      if (share == 0) continue;
      out.push_back({space.names()[row], upper, share,
                     share_near(prior.row(row), upper ? before.upper : before.lower, {}, edge)});
    }
  }
  return out;
}

}  // namespace evident
