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

/// `z` are the draws on the unconstrained scale.
Bounds bounds_of(const ParameterSpace& space, ConstBlock z, std::size_t free_row, std::size_t row) {
  Bounds b{limit(space, z, free_row, row, -1), limit(space, z, free_row, row, 1)};
  if (b.lower.empty() || b.upper.empty()) return {};
  return b;
}

BlockStorage unconstrained(const ParameterSpace& space, ConstBlock theta) {
  BlockStorage z(space.free_size(), theta.size());
  space.unconstrain(theta, z);
  return z;
}

/// Share of the draws within `edge` of a bound.
double share_near(std::span<const double> x, std::span<const double> bound, std::span<const double> weights,
                  double edge) {
  double near = 0, all = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    all += weights[i];
    if (std::abs(x[i] - bound[i]) < edge) near += weights[i];
  }
  return near / all;
}

std::vector<double> distances(std::span<const double> x, std::span<const double> bound) {
  std::vector<double> out;
  for (std::size_t i = 0; i < x.size(); ++i) out.push_back(std::abs(x[i] - bound[i]));
  std::erase_if(out, [](double d) { return std::isnan(d); });
  std::ranges::sort(out);
  return out;
}

}  // namespace

bool is_at_bound(const BoundNumbers& b) {
  return b.share >= threshold("at-edge") && b.share >= threshold("above-prior") * b.prior_share;
}

PriorBounds::PriorBounds(const Model& model, const Streams& streams) : space_(model.parameters()) {
  BlockStorage prior(space_.size(), kPriorDraws);
  model.draw_prior(streams.part(0x626f756e64), 0, prior);
  const BlockStorage z = unconstrained(space_, prior);
  for (std::size_t f = 0; f < space_.free_size(); ++f) {
    const std::size_t row = space_.index(space_.free_names()[f]);
    // Components of a simplex move together, so that far out says nothing of one alone.
    if (space_.prior_text(row).starts_with("dirichlet")) continue;
    const Bounds b = bounds_of(space_, z, f, row);
    if (b.lower.empty()) continue;
    bounded_.push_back({f, row, {distances(prior.row(row), b.lower), distances(prior.row(row), b.upper)}});
  }
}

std::vector<BoundNumbers> PriorBounds::observe(ConstBlock theta, std::span<const double> weights) const {
  std::vector<BoundNumbers> out;
  const BlockStorage z = unconstrained(space_, theta);
  for (const auto& [free_row, row, prior] : bounded_) {
    const Bounds here = bounds_of(space_, z, free_row, row);
    if (here.lower.empty()) continue;
    const double edge = threshold("edge") * weighted_standard_deviation(theta.row(row), weights);
    for (const bool upper : {false, true}) {
      const double share = share_near(theta.row(row), upper ? here.upper : here.lower, weights, edge);
      if (share == 0) continue;
      const auto near = std::ranges::lower_bound(prior[upper], edge) - prior[upper].begin();
      out.push_back({space_.names()[row], upper, share, static_cast<double>(near) / kPriorDraws});
    }
  }
  return out;
}

}  // namespace evident
