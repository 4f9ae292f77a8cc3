#include "models/pet/reference.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "dist/special.hpp"
#include "evident/base/log_math.hpp"

namespace evident {
namespace {

const double kLogPi = std::log(3.14159265358979323846);

double normal_density(double y, double mean, double variance) {
  return -0.5 * (kLog2Pi + std::log(variance) + (y - mean) * (y - mean) / variance);
}

double student_density(double y, double mean, double variance, double nu) {
  return dist::log_gamma((nu + 1) / 2) - dist::log_gamma(nu / 2) - 0.5 * (kLogPi + std::log(nu) + std::log(variance)) -
         (nu + 1) / 2 * std::log1p((y - mean) * (y - mean) / (nu * variance));
}

/// The integral over lambda of prior times likelihood.
double marginal_density(const PetOptions& options, double squares, double log_variances, double n) {
  const double a = options.precision_shape, rate = 1 / options.precision_scale;
  return -0.5 * (n * kLog2Pi + log_variances) + a * std::log(rate) - dist::log_gamma(a) + dist::log_gamma(a + n / 2) -
         (a + n / 2) * std::log(rate + squares / 2);
}

double log_likelihood(const PetOptions& options, std::span<const double> activity, std::span<const double> dt,
                      std::span<const double> predicted, std::span<const double> theta) {
  const std::size_t m = options.compartments;
  double total = 0, squares = 0, log_variances = 0;
  for (std::size_t i = 0; i < activity.size(); ++i) {
    const double c = std::max(std::abs(predicted[i]), options.activity_floor);
    if (!(c > 0 && c < kInf)) return -kInf;
    if (options.marginal_precision) {
      squares += (activity[i] - c) * (activity[i] - c) * dt[i] / c;
      log_variances += std::log(c / dt[i]);
      continue;
    }
    const double variance = c / (theta[2 * m] * dt[i]);
    total += options.noise == PetNoise::normal ? normal_density(activity[i], c, variance)
                                               : student_density(activity[i], c, variance, 1 / theta[2 * m + 1]);
  }
  if (!options.marginal_precision) return total;
  return marginal_density(options, squares, log_variances, static_cast<double>(activity.size()));
}

/// The prediction from that of the tissue alone.
void add_blood(const PetBlood& blood, std::vector<double>& predicted) {
  if (blood.volume > 0)
    for (std::size_t i = 0; i < predicted.size(); ++i)
      predicted[i] = (1 - blood.volume) * predicted[i] + blood.volume * blood.activity[i];
}

}  // namespace

double pet_log_likelihood_exact(const PetOptions& options, const PetInput& input, const PetFrames& frames,
                                std::span<const double> activity, std::span<const double> theta,
                                const PetBlood& blood) {
  std::vector<double> predicted(activity.size(), 0.0), k(activity.size());
  for (std::size_t d = 0; d < options.compartments; ++d) {
    convolve_frames(input, frames, theta[options.compartments + d], k, {});
    for (std::size_t i = 0; i < k.size(); ++i) predicted[i] += theta[d] * k[i];
  }
  add_blood(blood, predicted);
  return log_likelihood(options, activity, frames.dt, predicted, theta);
}

double pet_log_likelihood_table(const PetOptions& options, const ConvolutionTable& table,
                                std::span<const double> activity, std::span<const double> theta) {
  std::vector<double> predicted(activity.size(), 0.0), k(activity.size());
  for (std::size_t d = 0; d < options.compartments; ++d) {
    table.evaluate(theta[options.compartments + d], k);
    for (std::size_t i = 0; i < k.size(); ++i) predicted[i] += theta[d] * k[i];
  }
  add_blood(table.blood(), predicted);
  return log_likelihood(options, activity, table.frames().dt, predicted, theta);
}

}  // namespace evident
