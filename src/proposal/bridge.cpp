#include "proposal/bridge.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "base/optimal_bridge.hpp"
#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "evident/path/target.hpp"
#include "proposal/log_target.hpp"
#include "proposal/pareto.hpp"

namespace evident {
namespace {

constexpr std::uint64_t kTag = 0x627269646765;  // streams that nothing else in the run uses
constexpr std::size_t kPriorDraws = 512;
constexpr double kWide = 9, kBroadDf = 5;  // variance of the component around the draws, in units of theirs
constexpr std::size_t kBroadComponents = 2;
constexpr std::size_t kLeastDraws = 100;
constexpr double kMostOfAHalf = 0.25;   // of the weight of half of the fresh draws, for a single one
constexpr std::size_t kFewForEach = 5;  // draws for each coordinate; a fit to fewer follows their noise

// Draws of positive weight, in order; weights sum to one.
struct Draws {
  BlockStorage z;
  std::vector<double> log_target, weights;
};

Draws slice(const Population& x, std::span<const std::size_t> columns) {
  Draws out{BlockStorage(x.z.rows(), columns.size()), {}, {}};
  double total = 0;
  for (const std::size_t i : columns) total += x.weights.values()[i];
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const std::size_t i = columns[k];
    for (std::size_t j = 0; j < x.z.rows(); ++j) out.z(j, k) = x.z(j, i);
    out.log_target.push_back(x.log_prior[i] + x.log_likelihood[i]);
    out.weights.push_back(x.weights.values()[i] / total);
  }
  return out;
}

std::vector<std::size_t> living(const Population& x) {
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!(x.weights.values()[i] > 0)) continue;
    if (!std::isfinite(x.log_prior[i] + x.log_likelihood[i]))
      throw RunError("bridge sampling: particle " + std::to_string(i) + " has a weight but no finite density");
    columns.push_back(i);
  }
  if (columns.size() < 2) throw RunError("bridge sampling: fewer than two particles have a weight");
  return columns;
}

// Points of the prior that are finite on the unconstrained scale.
BlockStorage prior_points(const Model& model, const Streams& streams) {
  BlockStorage theta(model.parameters().size(), kPriorDraws), z(model.parameters().free_size(), kPriorDraws);
  model.draw_prior(streams, 0, theta);
  model.parameters().unconstrain(theta, z);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < kPriorDraws; ++i) {
    bool finite = true;
    for (std::size_t j = 0; j < z.rows(); ++j) finite = finite && std::isfinite(z(j, i));
    for (std::size_t j = 0; finite && j < z.rows(); ++j) z(j, kept) = z(j, i);
    kept += finite ? 1 : 0;
  }
  if (kept == kPriorDraws || kept == 0) return z;
  BlockStorage some(z.rows(), kept);
  for (std::size_t j = 0; j < z.rows(); ++j) std::copy_n(z.row(j).begin(), kept, some.row(j).begin());
  return some;
}

// log p - log q at fresh draws from q.
std::vector<double> fresh_ratios(const FittedMixture& q, const TemperedTarget& target, std::size_t count,
                                 const Streams& streams, const Context& context) {
  std::vector<double> ratios(count);
  context.executor.for_each(block_count(count), [&](std::size_t b) {
    const std::size_t first = b * kBlockSize, n = std::min(kBlockSize, count - first);
    BlockStorage z(q.size(), n);
    AlignedVector<double> log_prior(n), log_p(n), log_q(n);
    q.draw(streams, {.particle = static_cast<std::uint32_t>(first), .purpose = Purpose::proposal}, z);
    q.log_density(z, log_q);
    LogTarget(target).evaluate(z, log_prior, log_p);
    for (std::size_t i = 0; i < n; ++i) {
      const double ratio = log_p[i] - log_q[i];
      ratios[first + i] = std::isnan(ratio) ? -kInf : ratio;
    }
  });
  return ratios;
}

std::vector<double> ratios_at(const FittedMixture& q, const Draws& draws) {
  AlignedVector<double> log_q(draws.z.size());
  q.log_density(draws.z, log_q);
  std::vector<double> ratios;
  for (std::size_t i = 0; i < log_q.size(); ++i) ratios.push_back(draws.log_target[i] - log_q[i]);
  return ratios;
}

// A fit to some draws, and the broad components around them.
FittedMixture density_of(const Draws& draws, ConstBlock prior, const BridgeOptions& options, const Streams& streams,
                         const Context& context) {
  const FittedMixture fitted =
      options.modes != nullptr ? fit_mixture_from(*options.modes, draws.z, draws.weights, options.fit, context.executor)
                               : fit_mixture(draws.z, draws.weights, options.fit, streams, context.executor);
  return fitted.widened(0.5 * options.broad, draws.z, kWide, kBroadDf)
      .widened(0.5 * options.broad, prior, 1.0, kBroadDf);
}

// One fit, judged by draws that had no part in it.
struct Crossing {
  OptimalBridge bridge = {};
  double log_importance = 0, importance_variance = 0, pareto_k = 0, largest_share = 0, efficiency = 0;
  std::size_t components = 0;
};

Crossing cross(const FittedMixture& q, const Draws& other, std::span<const double> fresh) {
  Crossing c{.components = q.components().size() - kBroadComponents};
  c.log_importance = log_mean_exp(fresh);
  if (!std::isfinite(c.log_importance))
    throw RunError("bridge sampling: the posterior density is zero at all fresh draws");
  c.bridge = optimal_bridge(ratios_at(q, other), other.weights, fresh);
  const auto n = static_cast<double>(fresh.size());
  double squares = 0;
  for (const double l : fresh) {
    const double w = std::exp(l - c.log_importance);
    squares += w * w;
    c.largest_share = std::max(c.largest_share, w / n);
  }
  c.efficiency = n / squares;
  c.importance_variance = (squares / n - 1) / (n - 1);
  c.pareto_k = pareto_shape(fresh);
  return c;
}

BridgeEvidence combine(const Crossing& a, const Crossing& b) {
  BridgeEvidence r;
  r.log_evidence.value = 0.5 * (a.bridge.log_ratio + b.bridge.log_ratio);
  // Fresh draws are independent. The halves are not: what the first gets wrong as a fit and the second as a judge is
  // wrong in the same way with their roles changed, so these errors are added and not their squares.
  const double of_p = 0.5 * (std::sqrt(a.bridge.variance_of_p) + std::sqrt(b.bridge.variance_of_p));
  r.log_evidence.standard_error = std::sqrt(of_p * of_p + 0.25 * (a.bridge.variance_of_q + b.bridge.variance_of_q));
  r.effective = a.bridge.effective + b.bridge.effective;
  r.components = std::max(a.components, b.components);
  BridgeAgreement& g = r.agreement;
  g.importance = {log_mean_exp(std::array{a.log_importance, b.log_importance}),
                  0.5 * std::sqrt(a.importance_variance + b.importance_variance)};
  g.gap = g.importance.value - r.log_evidence.value;
  g.halves = a.bridge.log_ratio - b.bridge.log_ratio;
  g.pareto_k = std::max(a.pareto_k, b.pareto_k);
  g.largest_share = std::max(a.largest_share, b.largest_share);
  g.efficiency = std::min(a.efficiency, b.efficiency);
  return r;
}

BridgeEvidence alone(const Crossing& c) {
  BridgeEvidence r;
  r.log_evidence = {c.bridge.log_ratio, std::sqrt(c.bridge.variance_of_p + c.bridge.variance_of_q)};
  r.effective = c.bridge.effective;
  r.components = c.components;
  r.agreement = {.importance = {c.log_importance, std::sqrt(c.importance_variance)},
                 .gap = c.log_importance - c.bridge.log_ratio,
                 .pareto_k = c.pareto_k,
                 .largest_share = c.largest_share,
                 .efficiency = c.efficiency};
  return r;
}

// `most` is the share of the weight that one fresh draw may carry.
void judge(BridgeEvidence& r, double most) {
  const BridgeAgreement& g = r.agreement;
  const double error = r.log_evidence.standard_error;
  // Both kinds of doubt need more than noise: four standard errors and a little.
  constexpr double kErrors = 4, kLittle = 0.02;
  if (!r.log_evidence.known())
    r.reason = "the estimate is not finite";
  else if (r.effective < 20)
    r.reason = "the particles are worth fewer than 20 independent draws";
  else if (error > 0.5)
    r.reason = "the standard error is above 0.5";
  else if (std::abs(g.gap) > kLittle + kErrors * std::hypot(error, g.importance.standard_error))
    r.reason = "bridge and importance estimate disagree: the particles miss a part of the posterior";
  else if (std::abs(g.halves) > kLittle + kErrors * 2 * error)
    r.reason = "the two halves of the particles disagree";
  else if (g.largest_share > most)
    r.reason = "one fresh draw carries much of the weight: fit or particles miss a part of the posterior";
  r.usable = r.reason.empty();
}

void check(const BridgeOptions& options) {
  if (!(options.broad > 0 && options.broad < 1)) throw InputError("bridge sampling: broad must be between 0 and 1");
}

std::size_t fresh_draws(const BridgeOptions& options, const Population& particles) {
  return std::max(kLeastDraws, options.draws > 0 ? options.draws : 10 * particles.size());
}

// Without free coordinates every particle knows the evidence.
BridgeEvidence exact(const Population& particles, std::size_t i) {
  BridgeEvidence r{.log_evidence = {particles.log_prior[i] + particles.log_likelihood[i], 0}};
  r.usable = true;
  return r;
}

BridgeEvidence finished(BridgeEvidence r, const EvaluationCount& count, double most) {
  r.evaluations = count.total;
  r.nan_evaluations = count.nan;
  judge(r, most);
  return r;
}

}  // namespace

bool too_few_for_halves(std::size_t draws, std::size_t coordinates) { return draws / 2 < kFewForEach * coordinates; }

FittedMixture bridge_density(const Model& model, const Population& particles, const BridgeOptions& options,
                             const Context& context) {
  check(options);
  const Streams streams = context.streams.part(kTag);
  return density_of(slice(particles, living(particles)), prior_points(model, streams.part(0)), options, streams.part(1),
                    context);
}

BridgeEvidence bridge_evidence(const Model& model, const Population& particles, const FittedMixture& density,
                               const BridgeOptions& options, const Context& context) {
  check(options);
  const std::vector<std::size_t> columns = living(particles);
  if (particles.z.rows() == 0) return exact(particles, columns.front());
  EvaluationCount count;
  const TemperedTarget target(model, 1.0, count);
  const Streams streams = context.streams.part(kTag);
  const std::vector<double> fresh =
      fresh_ratios(density, target, fresh_draws(options, particles), streams.part(1), context);
  return finished(alone(cross(density, slice(particles, columns), fresh)), count, 0.5 * kMostOfAHalf);
}

BridgeEvidence bridge_evidence(const Model& model, const Population& particles, const BridgeOptions& options,
                               const Context& context) {
  check(options);
  const std::vector<std::size_t> columns = living(particles);
  if (particles.z.rows() == 0) return exact(particles, columns.front());
  EvaluationCount count;
  const TemperedTarget target(model, 1.0, count);
  const Streams streams = context.streams.part(kTag);
  const BlockStorage prior = prior_points(model, streams.part(0));
  const std::size_t middle = columns.size() / 2;
  const std::span<const std::size_t> all = columns;
  const std::array<Draws, 2> halves = {slice(particles, all.first(middle)), slice(particles, all.subspan(middle))};
  const std::size_t draws = std::max(kLeastDraws, (fresh_draws(options, particles) + 1) / 2);
  std::array<Crossing, 2> crossings;
  for (std::size_t h = 0; h < 2; ++h) {
    const Streams own = streams.part(h + 1);
    if (context.stop.stop_requested()) throw RunError("stopped before the end");
    const FittedMixture q = density_of(halves[h], prior, options, own, context);
    crossings[h] = cross(q, halves[1 - h], fresh_ratios(q, target, draws, own, context));
  }
  return finished(combine(crossings[0], crossings[1]), count, kMostOfAHalf);
}

}  // namespace evident
