#include "model/prior_check.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "evident/base/log_math.hpp"
#include "model/fitted_proposal.hpp"

namespace evident {
namespace {

constexpr std::size_t kDraws = 4096;   // for the fit and, as many again, for the integral
constexpr std::size_t kLines = 512;    // draws that are placed among the values their coordinate could have
constexpr std::size_t kNodes = 160;    // along such a line, at quantiles of the draws
constexpr std::size_t kTail = 14;      // further nodes on each side, each twice as far out
constexpr double kFalseAlarms = 1e-3;  // over all the coordinates of a model
constexpr double kSigmas = 4;          // of the integral: false alarms of 6e-5
constexpr double kSlack = 0.01;        // what the integral may be off without harm to any conclusion
constexpr double kVague = 0.1;         // an integral with a larger error says nothing

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

/// Log of the integral of the density.
template <class Proposal>
Estimate integrate(const Model& model, const Proposal& proposal, const Context& context, std::uint32_t step) {
  const std::size_t d = model.parameters().free_size();
  AlignedVector<double> log_weight(kDraws);
  context.executor.for_each(block_count(kDraws), [&](std::size_t b) {
    const std::size_t first = b * kBlockSize;
    BlockStorage z(d, kBlockSize);
    std::vector<double> one(d), log_proposal(kBlockSize);
    for (std::size_t i = 0; i < kBlockSize; ++i) {
      Stream random = context.streams.at({.step = step, .particle = static_cast<std::uint32_t>(first + i)});
      log_proposal[i] = proposal.draw(random, one);
      for (std::size_t j = 0; j < d; ++j) z(j, i) = one[j];
    }
    log_density(model, z, {log_weight.data() + first, kBlockSize});
    for (std::size_t i = 0; i < kBlockSize; ++i) log_weight[first + i] -= log_proposal[i];
  });
  const double log_mean = log_mean_exp(log_weight);
  if (!std::isfinite(log_mean)) return {log_mean, kInf};
  double squares = 0;
  for (const double v : log_weight) squares += std::pow(std::expm1(v - log_mean), 2);
  const auto n = static_cast<double>(kDraws);
  return {log_mean, std::sqrt(squares / (n * (n - 1)))};
}

/// Quantiles of the draws, then further and further out.
std::vector<double> nodes_of(std::span<const double> draws) {
  std::vector<double> x(draws.begin(), draws.end());
  std::ranges::sort(x);
  std::vector<double> nodes;
  for (std::size_t k = 0; k < kNodes; ++k) nodes.push_back(x[k * (x.size() - 1) / (kNodes - 1)]);
  double step = 0.05 * (nodes[kNodes - 1 - kNodes / 10] - nodes[kNodes / 10]);
  for (std::size_t k = 0; k < kTail; ++k, step *= 2) {
    nodes.push_back(nodes[kNodes - 1] + step);
    nodes.push_back(nodes[0] - step);
  }
  std::ranges::sort(nodes);
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
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

CoordinateCheck check_coordinate(const Model& model, ConstBlock z, std::size_t j, const Context& context) {
  const std::vector<double> nodes = nodes_of(z.row(j));
  std::vector<double> u(kLines);
  context.executor.for_each(kLines, [&](std::size_t i) {
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
  judge(std::move(u), z.rows(), out);
  return out;
}

}  // namespace

bool PriorCheck::agrees() const {
  return mass_agrees && outside == 0 && std::ranges::all_of(coordinates, &CoordinateCheck::agrees);
}

PriorCheck check_prior(const Model& model, const Context& given) {
  const Context context{given.streams.part(0x7072696f72), given.executor, given.stop};
  const std::size_t d = model.parameters().free_size();
  PriorCheck out{.draws = kDraws};
  BlockStorage theta(model.parameters().size(), kDraws), z(d, kDraws);
  context.executor.for_each(block_count(kDraws), [&](std::size_t b) {
    const std::size_t first = b * kBlockSize;
    const Block own = theta.block().columns(first, kBlockSize);
    model.draw_prior(context.streams, static_cast<std::uint32_t>(first), own);
    model.parameters().unconstrain(own, z.block().columns(first, kBlockSize));
  });
  AlignedVector<double> at_draws(kDraws);
  log_density(model, z, at_draws);
  out.outside = static_cast<std::size_t>(std::ranges::count(at_draws, -kInf));

  out.log_mass = integrate(model, CellProposal(z), context, 1);
  const StudentProposal student(z);
  if (student.usable()) {
    const Estimate other = integrate(model, student, context, 2);
    if (other.standard_error < out.log_mass.standard_error) out.log_mass = other;
  }
  const double error = out.log_mass.standard_error;
  out.mass_tested = error < kVague;
  out.mass_agrees = !out.mass_tested || std::abs(out.log_mass.value) < kSigmas * error + kSlack;
  for (std::size_t j = 0; j < d; ++j) out.coordinates.push_back(check_coordinate(model, z, j, context));
  return out;
}

}  // namespace evident
