// The scalar twins of the kernels: the formulas as they are written in the documentation, one particle at a time.
#include <algorithm>
#include <cmath>
#include <vector>

#include "evident/base/log_math.hpp"
#include "models/mixture/kernel.hpp"

namespace evident::mixture {
namespace {

double weight(const Likelihood& data, std::span<const double> theta, std::size_t j) {
  return data.components == 1 ? 1.0 : theta[2 * data.components + j];
}

/// log(weight_j sqrt(lambda_j)).
std::vector<double> log_factors(const Likelihood& data, std::span<const double> theta) {
  std::vector<double> out(data.components);
  for (std::size_t j = 0; j < out.size(); ++j)
    out[j] = std::log(weight(data, theta, j)) + 0.5 * std::log(theta[data.components + j]);
  return out;
}

/// -lambda_j (y - mu_j)^2 / 2; the root keeps extreme precisions finite.
double exponent(const Likelihood& data, std::span<const double> theta, std::size_t j, double y) {
  const double t = std::sqrt(theta[data.components + j]) * (y - theta[j]);
  return -0.5 * t * t;
}

/// log(floor + sum_j w_j density_j) for one observation.
double log_mixture(const Likelihood& data, std::span<const double> theta, std::span<const double> factors, double y) {
  const double log_floor = std::log(data.floor);  // -inf for none
  double largest = log_floor;
  for (std::size_t j = 0; j < data.components; ++j)
    largest = std::max(largest, factors[j] + exponent(data, theta, j, y));
  if (largest == -kInf) return -kInf;
  double sum = std::exp(log_floor - largest);
  for (std::size_t j = 0; j < data.components; ++j) sum += std::exp(factors[j] + exponent(data, theta, j, y) - largest);
  return largest + std::log(sum);
}

}  // namespace

double log_likelihood_scalar(const Likelihood& data, std::span<const double> theta) {
  const auto factors = log_factors(data, theta);
  double sum = -0.5 * kLog2Pi * static_cast<double>(data.y.size());
  for (const double y : data.y) sum += log_mixture(data, theta, factors, y);
  return sum;
}

void gradient_scalar(const Likelihood& data, std::span<const double> theta, std::span<double> out) {
  const std::size_t k = data.components;
  std::fill(out.begin(), out.end(), 0.0);
  const auto factors = log_factors(data, theta);
  for (const double y : data.y) {
    const double log_sum = log_mixture(data, theta, factors, y);
    for (std::size_t j = 0; j < k; ++j) {
      const double lambda = theta[k + j], t = y - theta[j];
      const double ratio = std::exp(0.5 * std::log(lambda) + exponent(data, theta, j, y) - log_sum);  // to the mixture
      const double share = weight(data, theta, j) * ratio;
      out[j] += share * lambda * t;
      out[k + j] += share * (0.5 / lambda - 0.5 * t * t);
      if (k > 1) out[2 * k + j] += ratio;
    }
  }
}

void move_weights_scalar(const Likelihood& data, const WeightMoves& moves, std::size_t column, std::span<double> theta,
                         double& log_prior, double& log_likelihood) {
  const std::size_t k = data.components, free = k - 1;
  std::vector<double> proposal(theta.begin(), theta.end());
  for (std::size_t m = 0; m < moves.moves; ++m) {
    const double scale = moves.scale * std::pow(3.0, 2 * moves.uniforms(2 * m, column) - 1);
    double total = 0, smallest = 1, log_change = 0;  // log_change: of the product of the weights
    for (std::size_t j = 0; j < k; ++j) {
      const double step = j < free ? scale * moves.normals(m * free + j, column) : 0.0;
      proposal[2 * k + j] = theta[2 * k + j] * std::exp(step);
      total += proposal[2 * k + j];
      log_change += step;
    }
    log_change -= static_cast<double>(k) * std::log(total);
    for (std::size_t j = 0; j < k; ++j) smallest = std::min(smallest, proposal[2 * k + j] /= total);
    const double proposed = log_likelihood_scalar(data, proposal);
    const double log_ratio = moves.alpha * (proposed - log_likelihood) + moves.concentration * log_change;
    if (!(std::log(moves.uniforms(2 * m + 1, column)) < log_ratio) || smallest < kSmallestWeight) continue;
    std::copy(proposal.begin(), proposal.end(), theta.begin());
    log_likelihood = proposed;
    log_prior += (moves.concentration - 1) * log_change;
  }
}

}  // namespace evident::mixture
