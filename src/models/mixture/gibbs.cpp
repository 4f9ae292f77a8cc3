#include "models/mixture/gibbs.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "dist/samplers.hpp"
#include "dist/special.hpp"
#include "evident/base/log_math.hpp"
#include "models/mixture/kernel.hpp"

namespace evident::mixture {

GibbsState Gibbs::start() const {
  const std::size_t k = options_.components;
  std::vector<double> sorted(y_.begin(), y_.end());
  std::sort(sorted.begin(), sorted.end());
  const double range = sorted.back() - sorted.front(), parts = static_cast<double>(k);
  GibbsState state;
  for (std::size_t j = 0; j < k; ++j) {
    const auto at = (static_cast<double>(j) + 0.5) / parts * static_cast<double>(sorted.size());
    state.mu.push_back(sorted[std::min(static_cast<std::size_t>(at), sorted.size() - 1)]);
    state.lambda.push_back(16 * parts * parts / (range * range));
    state.weight.push_back(1 / parts);
  }
  return state;
}

double Gibbs::allocate(const GibbsState& state, Stream& random, Allocation& out) const {
  const std::size_t k = options_.components;
  out.count.assign(k, 0.0), out.sum.assign(k, 0.0), out.square.assign(k, 0.0);
  std::array<double, kMaxComponents> factor, log_density;
  for (std::size_t j = 0; j < k; ++j) factor[j] = std::log(state.weight[j]) + 0.5 * std::log(state.lambda[j]);
  double log_likelihood = -0.5 * kLog2Pi * static_cast<double>(y_.size());
  for (const double y : y_) {
    double top = -kInf, total = 0;
    for (std::size_t j = 0; j < k; ++j) {
      log_density[j] = factor[j] - 0.5 * state.lambda[j] * (y - state.mu[j]) * (y - state.mu[j]);
      top = std::max(top, log_density[j]);
    }
    for (std::size_t j = 0; j < k; ++j) total += log_density[j] = std::exp(log_density[j] - top);
    log_likelihood += top + std::log(total);
    double left = k == 1 ? 0 : random.uniform() * total;
    std::size_t chosen = 0;
    while (chosen + 1 < k && left > log_density[chosen]) left -= log_density[chosen++];
    out.count[chosen] += 1;
    out.sum[chosen] += y;
    out.square[chosen] += y * y;
  }
  return log_likelihood;
}

Gibbs::Normal Gibbs::mean_conditional(const Allocation& a, double lambda, std::size_t j) const {
  const double prior = 1 / (*options_.mean_sd * *options_.mean_sd);
  const double precision = prior + lambda * a.count[j];
  return {(prior * *options_.mean_center + lambda * a.sum[j]) / precision, precision};
}

Gibbs::Gamma Gibbs::precision_conditional(const Allocation& a, double mu, std::size_t j) const {
  // Deviations from mu, from the sums; never negative but for rounding.
  const double squares = std::max(0.0, a.square[j] - 2 * mu * a.sum[j] + mu * mu * a.count[j]);
  return {options_.precision_shape + 0.5 * a.count[j], 1 / *options_.precision_scale + 0.5 * squares};
}

void Gibbs::draw_means(const Allocation& a, Stream& random, GibbsState& state) const {
  for (std::size_t j = 0; j < state.mu.size(); ++j) {
    const Normal n = mean_conditional(a, state.lambda[j], j);
    state.mu[j] = n.mean + random.normal() / std::sqrt(n.precision);
  }
}

void Gibbs::draw_precisions_and_weights(const Allocation& a, Stream& random, GibbsState& state) const {
  double total = 0;
  for (std::size_t j = 0; j < state.mu.size(); ++j) {
    const Gamma g = precision_conditional(a, state.mu[j], j);
    state.lambda[j] = dist::draw_gamma(random, g.shape, 1 / g.rate);
    if (state.mu.size() == 1) return;
    state.weight[j] = dist::draw_gamma(random, options_.concentration + a.count[j], 1.0);
    total += state.weight[j];
  }
  for (double& w : state.weight) w /= total;
}

double Gibbs::log_prior(const GibbsState& state) const {
  double sum = 0;
  for (std::size_t j = 0; j < state.mu.size(); ++j) {
    const double u = (state.mu[j] - *options_.mean_center) / *options_.mean_sd;
    sum += -0.5 * u * u + (options_.precision_shape - 1) * std::log(state.lambda[j]) -
           state.lambda[j] / *options_.precision_scale + (options_.concentration - 1) * std::log(state.weight[j]);
  }
  return sum;
}

double Gibbs::log_mean_density(const Allocation& a, const GibbsState& state, std::size_t j, double mu) const {
  const Normal n = mean_conditional(a, state.lambda[j], j);
  return 0.5 * (std::log(n.precision) - kLog2Pi - n.precision * (mu - n.mean) * (mu - n.mean));
}

double Gibbs::log_precisions_and_weights(const Allocation& a, const GibbsState& state) const {
  double sum = 0, concentration = 0;
  for (std::size_t j = 0; j < state.mu.size(); ++j) {
    const Gamma g = precision_conditional(a, state.mu[j], j);
    sum += g.shape * std::log(g.rate) - dist::log_gamma(g.shape) + (g.shape - 1) * std::log(state.lambda[j]) -
           g.rate * state.lambda[j];
    if (state.mu.size() == 1) return sum;
    const double c = options_.concentration + a.count[j];
    sum += (c - 1) * std::log(state.weight[j]) - dist::log_gamma(c);
    concentration += c;
  }
  return sum + dist::log_gamma(concentration);
}

}  // namespace evident::mixture
