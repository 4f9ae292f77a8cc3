#include "evidence/probabilities.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>

#include "base/statistics.hpp"
#include "evident/base/error.hpp"
#include "evident/base/random.hpp"

namespace evident {
namespace {

constexpr std::uint64_t kSeed = 0x70726f62;  // any will do; the same for everybody

void check(std::span<const WeightedEvidence> evidence) {
  double total = 0;
  for (const WeightedEvidence& e : evidence) {
    if (!(e.weight >= 0) || !std::isfinite(e.weight)) throw InputError("the weight of a model must be 0 or more");
    if (e.log_evidence.standard_error < 0) throw InputError("a standard error must be 0 or more");
    if (!(e.log_evidence.degrees > 0)) throw InputError("degrees of freedom must be above 0");
    total += e.weight;
  }
  if (!(total > 0)) throw InputError("all models have weight 0");
}

bool possible(const WeightedEvidence& e) { return e.weight > 0 && e.log_evidence.value != -kInf; }
bool known(const WeightedEvidence& e) { return !possible(e) || std::isfinite(e.log_evidence.standard_error); }

// Row k of `out` are draws of what the log evidence of model k may be off by. Bailey (1994) makes Student's t from two
// uniforms; infinite degrees are the normal limit of the same formula. The errors of each side scale it.
BlockStorage draw_errors(std::span<const WeightedEvidence> evidence, std::size_t draws) {
  BlockStorage out(evidence.size(), draws);
  const Streams streams({.seed = kSeed});
  for (std::size_t k = 0; k < evidence.size(); ++k) {
    BlockStorage u(2, draws);
    streams.fill_uniform({.step = static_cast<std::uint32_t>(k)}, u);
    const double df = evidence[k].log_evidence.degrees;
    for (std::size_t i = 0; i < draws; ++i) {
      const double log_u = std::log(u(0, i));
      const double square = std::isfinite(df) ? df * std::expm1(-2 / df * log_u) : -2 * log_u;
      const double error = std::sqrt(square) * std::cos(2 * std::numbers::pi * u(1, i));
      out(k, i) = error * (error < 0 ? evidence[k].log_evidence.below() : evidence[k].log_evidence.above());
    }
  }
  return out;
}

// Probabilities in proportion to exp(log_joint).
void normalise(std::span<double> log_joint) {
  const double total = log_sum_exp(log_joint);
  for (double& v : log_joint) v = std::exp(v - total);
}

Interval middle(std::span<double> x) {
  const double lower = value_above_share(x, 0.025);
  return {lower, value_above_share(x, 0.975)};
}

void fill_intervals(std::span<const double> log_joint, ModelProbabilities& out) {
  const std::size_t models = log_joint.size(), draws = kProbabilityDraws;
  const BlockStorage errors = draw_errors(out.evidence, draws);
  std::vector<std::vector<double>> p(models, std::vector<double>(draws));
  std::vector<double> one(models), due(models);
  for (std::size_t i = 0; i < draws; ++i) {
    for (std::size_t k = 0; k < models; ++k) one[k] = possible(out.evidence[k]) ? log_joint[k] + errors(k, i) : -kInf;
    normalise(one);
    double squares = 0;
    for (const double v : one) squares += v * v;
    for (std::size_t k = 0; k < models; ++k) {
      p[k][i] = one[k];
      // sum over j of (d p_j / d log evidence_k)^2
      due[k] += one[k] * one[k] * ((1 - one[k]) * (1 - one[k]) + squares - one[k] * one[k]);
    }
  }
  double total = 0;
  for (std::size_t k = 0; k < models; ++k) {
    const double s = possible(out.evidence[k]) ? out.evidence[k].log_evidence.standard_error : 0;
    total += due[k] *= s * s;
  }
  for (std::size_t k = 0; k < models; ++k) {
    out.probability[k].standard_error = standard_deviation(p[k]);
    out.interval[k] = middle(p[k]);
    out.error_share[k] = total > 0 ? due[k] / total : 0;
  }
}

}  // namespace

ModelProbabilities model_probabilities(std::span<const WeightedEvidence> evidence) {
  check(evidence);
  const std::size_t models = evidence.size();
  ModelProbabilities out;
  out.evidence.assign(evidence.begin(), evidence.end());
  std::vector<double> log_joint;
  for (const WeightedEvidence& e : evidence)
    log_joint.push_back(e.weight > 0 ? std::log(e.weight) + e.log_evidence.value : -kInf);
  std::vector<double> probability = log_joint;
  normalise(probability);
  for (const double p : probability) out.probability.push_back({.value = p});
  out.interval.resize(models);
  out.error_share.assign(models, kNaN);
  const bool numbers = std::ranges::none_of(probability, [](double p) { return std::isnan(p); });
  if (numbers && std::ranges::all_of(evidence, known)) fill_intervals(log_joint, out);
  return out;
}

std::vector<double> mean_probabilities(std::span<const WeightedEvidence> evidence) {
  constexpr double kNode = 1.7320508075688772, kMiddle = 2.0 / 3, kSide = 1.0 / 6;
  check(evidence);
  std::vector<std::size_t> known;
  std::size_t points = 1;
  for (std::size_t k = 0; k < evidence.size(); ++k) {
    if (!(evidence[k].weight > 0) || !std::isfinite(evidence[k].log_evidence.value)) continue;
    known.push_back(k);
    points *= 3;
  }
  std::vector<double> out(evidence.size(), known.empty() ? kNaN : 0), one(known.size());
  for (std::size_t point = 0; point < points && !known.empty(); ++point) {
    double weight = 1;
    for (std::size_t j = 0, left = point; j < known.size(); ++j, left /= 3) {
      const WeightedEvidence& e = evidence[known[j]];
      const double error = std::isfinite(e.log_evidence.standard_error) ? e.log_evidence.standard_error : 0;
      one[j] = std::log(e.weight) + e.log_evidence.value + (static_cast<double>(left % 3) - 1) * kNode * error;
      weight *= left % 3 == 1 ? kMiddle : kSide;
    }
    normalise(one);
    for (std::size_t j = 0; j < known.size(); ++j) out[known[j]] += weight * one[j];
  }
  const double total = std::accumulate(out.begin(), out.end(), 0.0);  // 1, but for rounding
  for (double& p : out) p /= total;
  return out;
}

LogBayesFactor ModelProbabilities::bayes_factor(std::size_t i, std::size_t j) const {
  if (i == j) return {.estimate = {0, 0}, .interval = {0, 0}};
  const Estimate &a = evidence[i].log_evidence, &b = evidence[j].log_evidence;
  LogBayesFactor out{.estimate = {a.value - b.value, std::hypot(a.standard_error, b.standard_error)}};
  if (!out.estimate.known()) return out;
  const auto is_normal = [](const Estimate& e) { return std::isinf(e.degrees) && std::isnan(e.error_below); };
  if (is_normal(a) && is_normal(b)) {
    out.interval = out.estimate.interval();
    return out;
  }
  const WeightedEvidence pair[] = {{a}, {b}};
  const BlockStorage errors = draw_errors(pair, kProbabilityDraws);
  std::vector<double> x(kProbabilityDraws);
  for (std::size_t d = 0; d < x.size(); ++d) x[d] = out.estimate.value + errors(0, d) - errors(1, d);
  out.interval = middle(x);
  return out;
}

}  // namespace evident
