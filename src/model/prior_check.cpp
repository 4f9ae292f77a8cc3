#include "model/prior_check.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "base/optimal_bridge.hpp"
#include "evident/base/log_math.hpp"
#include "model/fitted_proposal.hpp"

namespace evident {
namespace {

constexpr std::size_t kFirst = 4096;   // draws that show whether a prior is built in
constexpr std::size_t kDraws = 8192;   // for the fit and, as many again, for the integral
constexpr std::size_t kLines = 512;    // draws, at least, that are placed among the values a coordinate could have
constexpr std::size_t kNodes = 64;     // along such a line, at quantiles of the draws
constexpr double kFurther = 1.3;       // by what further nodes are each more distant than the one before
constexpr double kSteps = 60;          // of these, at most, to the outermost draw on each side
constexpr std::size_t kTail = 12;      // nodes beyond it, each four times as far
constexpr double kNearBound = 1e-4;    // of the draws' width: the first of them
constexpr double kNearest = 1e-5;      // of the draws' width: the first of the nodes around the draw itself
constexpr double kFalseAlarms = 1e-3;  // over all the coordinates of a model
constexpr double kSigmas = 4;          // of the integral: false alarms of 6e-5
constexpr double kSlack = 0.01;        // what the integral may be off without harm to any conclusion
constexpr double kVague = 0.1;         // an integral with a larger error says nothing
constexpr double kLargest = 1e6;       // of a log ratio: further apart makes no difference to a bridge

// A line through a draw costs as many densities as it has nodes, each of all coordinates: of many coordinates, so many
// lines have a turn that their cost does not grow with the square of the number.
constexpr std::size_t kCoordinatesOfAll = 10'000, kFewestTested = 2;
constexpr std::size_t kNumbers = std::size_t{1} << 24U;  // in a sample, at most; but never fewer draws than these
constexpr std::size_t kFewestDraws = 1024;
constexpr std::size_t kMostOfScores = 500;  // coordinates: draws tell nothing of the covariance of more

/// Whole blocks of draws: as many as are wanted, or as there is room for.
std::size_t draws_for(std::size_t wanted, std::size_t coordinates) {
  const std::size_t room = kNumbers / std::max<std::size_t>(coordinates, 1) / kBlockSize * kBlockSize;
  return std::min(wanted, std::max(room, kFewestDraws));
}

/// All of few coordinates; of many some, evenly spread from the first to the last.
std::vector<std::size_t> tested_of(std::size_t d) {
  const std::size_t n = std::min(d, std::max(kFewestTested, kCoordinatesOfAll / std::max<std::size_t>(d, 1)));
  std::vector<std::size_t> out;
  for (std::size_t k = 0; k < n; ++k) out.push_back(n == 1 ? 0 : k * (d - 1) / (n - 1));
  return out;
}

/// A sample of the prior, and what the model says of it.
struct PriorSample {
  BlockStorage theta, z;
  AlignedVector<double> log_density;  ///< of z
};

/// Log density of z, the Jacobian included; NaN counts as -inf.
void log_density(const Model& model, ConstBlock z, std::span<double> out) {
  BlockStorage theta(model.parameters().size(), z.size());
  AlignedVector<double> log_jacobian(z.size()), log_prior(z.size());
  model.parameters().constrain(z, theta, log_jacobian);
  model.log_prior(theta, log_prior);
  for (std::size_t i = 0; i < z.size(); ++i) {
    out[i] = log_prior[i] + log_jacobian[i];
    if (std::isnan(out[i])) out[i] = -kInf;
  }
}

PriorSample sample(const Model& model, std::size_t n, const Context& context) {
  PriorSample out{BlockStorage(model.parameters().size(), n), BlockStorage(model.parameters().free_size(), n),
                  AlignedVector<double>(n)};
  context.executor.for_each(block_count(n), [&](std::size_t b) {
    const std::size_t first = b * kBlockSize;
    const Block own = out.theta.block().columns(first, kBlockSize), z = out.z.block().columns(first, kBlockSize);
    model.draw_prior(context.streams, static_cast<std::uint32_t>(first), own);
    model.parameters().unconstrain(own, z);
    log_density(model, z, {out.log_density.data() + first, kBlockSize});
  });
  return out;
}

/// Draws of a proposal, with their log densities under it.
struct Fresh {
  BlockStorage z;
  std::vector<double> log_proposal;
};

template <class Proposal>
Fresh draw(const Proposal& proposal, std::size_t d, std::size_t n, const Context& context, std::uint32_t step) {
  Fresh out{BlockStorage(d, n), std::vector<double>(n)};
  context.executor.for_each(n, [&](std::size_t i) {
    Stream random = context.streams.at({.step = step, .particle = static_cast<std::uint32_t>(i)});
    std::vector<double> one(d);
    out.log_proposal[i] = proposal.draw(random, one);
    for (std::size_t j = 0; j < d; ++j) out.z(j, i) = one[j];
  });
  return out;
}

/// Log of the integral of the density, by the bridge between its draws and those of a proposal. A weighted mean over
/// the proposal would hang on the few draws that it misses; each term of a bridge is bounded, whatever the tails.
template <class Proposal>
Estimate integrate(const Model& model, const Proposal& proposal, const PriorSample& own, std::size_t first,
                   const Context& context, std::uint32_t step) {
  const std::size_t d = own.z.rows(), draws = own.z.size() - first;
  const Fresh fresh = draw(proposal, d, draws, context, step);
  std::vector<double> at_own, at_fresh(draws), one(d);
  const auto ratio = [](double log_p, double log_q) { return std::clamp(log_p - log_q, -kLargest, kLargest); };
  for (std::size_t i = first; i < own.log_density.size(); ++i) {
    if (own.log_density[i] == -kInf) continue;
    for (std::size_t j = 0; j < d; ++j) one[j] = own.z(j, i);
    at_own.push_back(ratio(own.log_density[i], proposal.log_density(one)));
  }
  if (at_own.empty()) return {-kInf, kInf};
  context.executor.for_each(block_count(draws), [&](std::size_t b) {
    log_density(model, fresh.z.block().columns(b * kBlockSize, kBlockSize), {&at_fresh[b * kBlockSize], kBlockSize});
  });
  for (std::size_t i = 0; i < draws; ++i) at_fresh[i] = ratio(at_fresh[i], fresh.log_proposal[i]);
  const std::vector<double> weights(at_own.size(), 1 / static_cast<double>(at_own.size()));
  const OptimalBridge bridge = optimal_bridge(at_own, weights, at_fresh);
  return {bridge.log_ratio, std::sqrt(bridge.variance_of_p + bridge.variance_of_q)};
}

/// Are draws and density those of parameters(), to the last bit, with families that evident tests? Asked at the draws
/// and at as many points further out.
bool is_built_in(const Model& model, const PriorSample& own, ConstBlock far, const Context& context) {
  const ParameterSpace& space = model.parameters();
  if (!space.priors_are_built_in()) return false;
  const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  const auto same_density = [&](ConstBlock theta) {
    std::vector<double> given(theta.size()), expected(theta.size());
    model.log_prior(theta, given);
    space.log_density(theta, expected);
    return std::ranges::equal(given, expected, same);
  };
  std::vector<char> equal(block_count(own.theta.size()), 0);
  context.executor.for_each(equal.size(), [&](std::size_t b) {
    const std::size_t first = b * kBlockSize;
    const ConstBlock given = own.theta.block().columns(first, kBlockSize);
    BlockStorage expected(space.size(), kBlockSize);
    space.draw(context.streams, static_cast<std::uint32_t>(first), expected);
    bool all = same_density(given);
    for (std::size_t j = 0; j < space.size(); ++j) all = all && std::ranges::equal(given.row(j), expected.row(j), same);
    AlignedVector<double> log_jacobian(kBlockSize);
    space.constrain(far.columns(first, kBlockSize), expected, log_jacobian);
    equal[b] = all && same_density(expected) ? 1 : 0;
  });
  return std::ranges::all_of(equal, [](char e) { return e == 1; });
}

/// Where a density is looked at along a line.
struct Nodes {
  std::vector<double> at;  ///< increasing
  double width = 0;        ///< between the tenth and the ninetieth percent of the draws
};

void sort_out(std::vector<double>& x) {
  std::ranges::sort(x);
  x.erase(std::unique(x.begin(), x.end()), x.end());
}

/// Quantiles of the draws. Quantiles of a heavy tail are far apart, so from the tenth percent outwards there are nodes
/// at distances that grow by a factor, up to the outermost draw; and beyond it, where a hard bound may be near.
Nodes nodes_of(std::span<const double> draws) {
  std::vector<double> x(draws.begin(), draws.end());
  std::ranges::sort(x);
  Nodes out;
  for (std::size_t k = 0; k < kNodes; ++k) out.at.push_back(x[k * (x.size() - 1) / (kNodes - 1)]);
  const double low = x[x.size() / 10], high = x[x.size() - 1 - x.size() / 10];
  out.width = high - low;
  const auto outwards = [&](double from, double last, double sign) {
    const double far = std::max(1.0, std::abs(last - from) / out.width);
    const double factor = std::max(kFurther, std::pow(far, 1.0 / kSteps));
    for (double step = out.width * (factor - 1); step < far * out.width && step > 0; step *= factor)
      out.at.push_back(from + sign * step);
    double beyond = kNearBound * out.width;
    for (std::size_t k = 0; k < kTail; ++k, beyond *= 4) out.at.push_back(last + sign * beyond);
  };
  outwards(high, x.back(), 1);
  outwards(low, x.front(), -1);
  sort_out(out.at);
  return out;
}

/// Integral over [0, width] of exp(f) with f straight between log p = a and b.
double log_linear(double a, double b, double width) {
  if (a == -kInf || b == -kInf) return 0.5 * width * (std::exp(a) + std::exp(b));
  const double slope = std::abs(b - a);
  return width * std::exp(std::max(a, b)) * (slope < 1e-8 ? 1 - slope / 2 : -std::expm1(-slope) / slope);
}

/// The share of the mass along the line that lies below x.
double share_below(std::span<const double> nodes, std::span<double> log_p, double x) {
  const double top = *std::ranges::max_element(log_p);
  double below = 0, all = 0;
  for (double& v : log_p) v -= top;
  for (std::size_t k = 0; k + 1 < nodes.size(); ++k) {
    const double width = nodes[k + 1] - nodes[k], part = log_linear(log_p[k], log_p[k + 1], width);
    all += part;
    if (nodes[k + 1] <= x) {
      below += part;
    } else if (nodes[k] < x) {
      const double share = (x - nodes[k]) / width;
      const bool flat = log_p[k] == -kInf || log_p[k + 1] == -kInf;
      below += flat ? share * part : log_linear(log_p[k], log_p[k] + share * (log_p[k + 1] - log_p[k]), x - nodes[k]);
    }
  }
  return below / all;
}

/// Kolmogorov and Smirnov against uniform.
void judge(std::vector<double> u, std::size_t coordinates, CoordinateCheck& out) {
  std::ranges::sort(u);
  const auto n = static_cast<double>(u.size());
  for (std::size_t i = 0; i < u.size(); ++i) {
    const double at = static_cast<double>(i);
    out.distance = std::max({out.distance, u[i] - at / n, (at + 1) / n - u[i]});
  }
  const double lambda = (std::sqrt(n) + 0.12 + 0.11 / std::sqrt(n)) * out.distance;
  double p = 0;
  for (int k = 1; k <= 50; ++k) p += (k % 2 == 1 ? 2 : -2) * std::exp(-2.0 * k * k * lambda * lambda);
  out.p_value = lambda < 0.3 ? 1 : std::clamp(p, 0.0, 1.0);
  out.agrees = !(out.p_value < kFalseAlarms / static_cast<double>(coordinates));
}

/// With nodes around x, closer and closer: given the others, a coordinate may be confined to a narrow place.
std::vector<double> with_nodes_near(double x, const Nodes& nodes) {
  std::vector<double> out = nodes.at;
  out.push_back(x);
  for (double step = kNearest * nodes.width; step < nodes.width && step > 0; step *= kFurther) {
    out.push_back(x - step);
    out.push_back(x + step);
  }
  sort_out(out);
  return out;
}

CoordinateCheck check_coordinate(const Model& model, ConstBlock z, std::size_t j, std::size_t tested,
                                 const Context& context) {
  const Nodes common = nodes_of(z.row(j));
  std::vector<double> u(std::max(kLines, 4096 / z.rows()));
  context.executor.for_each(u.size(), [&](std::size_t i) {
    const std::vector<double> nodes = with_nodes_near(z(j, i), common);
    BlockStorage line(z.rows(), nodes.size());
    for (std::size_t r = 0; r < z.rows(); ++r) std::ranges::fill(line.row(r), z(r, i));
    std::ranges::copy(nodes, line.row(j).begin());
    std::vector<double> log_p(nodes.size());
    log_density(model, line, log_p);
    u[i] = share_below(nodes, log_p, z(j, i));
  });
  CoordinateCheck out{.name = model.parameters().free_names()[j]};
  // Where the density is zero along the whole line, u is no number and the draw lies outside.
  std::erase_if(u, [](double v) { return std::isnan(v); });
  if (u.empty()) return {.name = out.name, .distance = 1, .p_value = 0, .agrees = false};
  judge(std::move(u), tested, out);
  return out;
}

}  // namespace

bool PriorCheck::agrees() const {
  return mass_agrees && outside == 0 && std::ranges::all_of(coordinates, &CoordinateCheck::agrees);
}

PriorCheck check_prior(const Model& model, const Context& given) {
  const Context context{given.streams.part(0x7072696f72), given.executor, given.stop};
  const std::size_t d = model.parameters().free_size();
  const auto outside = [](const PriorSample& s) {
    return static_cast<std::size_t>(std::ranges::count(s.log_density, -kInf));
  };
  const std::size_t first = draws_for(kFirst, d), draws = draws_for(kDraws, d);
  {
    const PriorSample few = sample(model, first, context);
    if (is_built_in(model, few, draw(CellProposal(few.z), d, first, context, 1).z, context))
      return {.built_in = true, .mass_tested = false, .draws = first, .outside = outside(few)};
  }
  const PriorSample own = sample(model, 2 * draws, context);
  const ConstBlock to_fit = own.z.block().columns(0, draws);
  const CellProposal cells(to_fit);
  PriorCheck out{.draws = own.log_density.size(), .outside = outside(own)};
  const std::vector<std::size_t> tested = tested_of(d);
  for (const std::size_t j : tested)
    out.coordinates.push_back(check_coordinate(model, own.z, j, tested.size(), context));
  out.log_mass = integrate(model, cells, own, draws, context, 1);
  if (d <= kMostOfScores) {
    if (const ScoreProposal scores(cells, to_fit); scores.usable()) {
      const Estimate other = integrate(model, scores, own, draws, context, 2);
      if (other.standard_error < out.log_mass.standard_error) out.log_mass = other;
    }
  }
  // The bridge compares the draws with their density, so it tells the integral only where they fit in shape.
  const double error = out.log_mass.standard_error;
  out.mass_tested = error < kVague && std::ranges::all_of(out.coordinates, &CoordinateCheck::agrees);
  out.mass_agrees = !out.mass_tested || std::abs(out.log_mass.value) < kSigmas * error + kSlack;
  return out;
}

}  // namespace evident
