// Sinusoids of unknown frequency and sums of exponentials: given frequencies or rates, a linear model.
#include <cmath>
#include <functional>
#include <numbers>

#include "evident/base/log_math.hpp"
#include "problems/conjugate.hpp"
#include "problems/families.hpp"
#include "problems/quadrature.hpp"
#include "problems/written.hpp"

namespace evident::problems {
namespace {

using Columns = std::vector<std::vector<double>>;

Columns wave_columns(const std::vector<double>& times, double frequency) {
  Columns out(2);
  for (const double t : times) {
    out[0].push_back(std::cos(2 * std::numbers::pi * frequency * t));
    out[1].push_back(std::sin(2 * std::numbers::pi * frequency * t));
  }
  return out;
}

double log_density_of_residuals(const std::vector<double>& y, const std::vector<double>& mean, double noise) {
  double squares = 0;
  for (std::size_t i = 0; i < y.size(); ++i) squares += (y[i] - mean[i]) * (y[i] - mean[i]);
  return -0.5 * (static_cast<double>(y.size()) * (kLog2Pi + 2 * std::log(noise)) + squares / (noise * noise));
}

/// The logarithm of the double integral of the evidence given two places, which is the same when they change roles.
double log_integral_of_pairs(const std::vector<std::pair<double, double>>& points, const std::vector<Columns>& columns,
                             const std::vector<double>& y, double noise, double prior) {
  std::vector<double> terms;
  for (std::size_t a = 0; a < points.size(); ++a)
    for (std::size_t b = 0; b <= a; ++b) {
      Columns both = columns[a];
      both.insert(both.end(), columns[b].begin(), columns[b].end());
      terms.push_back(log_linear_evidence(products(both, y), noise, prior) + points[a].second + points[b].second +
                      (a == b ? 0 : std::numbers::ln2));
    }
  return log_sum_exp(terms);
}

/// y = sum over k of (a_k cos + b_k sin)(2 pi f_k t) + N(0, 1) at drawn times in (0, span), f_k ~ U(0, highest),
/// amplitudes N(0, 2^2): a peak every 1/span in each frequency.
Problem sinusoids(const std::string& name, std::size_t waves, double highest, std::uint64_t instance) {
  constexpr double kAmplitudeSd = 2;
  const double span = waves == 1 ? 10 : 4;
  Stream stream = numbers_of(name, instance);
  std::vector<double> times(waves == 1 ? 40 : 25), y(times.size(), 0.0);
  for (double& t : times) t = span * stream.uniform();
  for (std::size_t k = 0; k < waves; ++k) {
    const double frequency = highest * stream.uniform(), phase = 2 * std::numbers::pi * stream.uniform();
    for (std::size_t i = 0; i < y.size(); ++i)
      y[i] += 1.2 * std::cos(2 * std::numbers::pi * frequency * times[i] + phase);
  }
  for (double& v : y) v += stream.normal();
  ParameterSpace space = alike(waves, uniform(0, highest), "frequency");
  for (std::size_t k = 0; k < 2 * waves; ++k) space.add("amplitude" + std::to_string(k + 1), normal(0, kAmplitudeSd));
  auto model = lift(space, [=](std::span<const double> t) {
    std::vector<double> mean(y.size(), 0.0);
    for (std::size_t k = 0; k < waves; ++k)
      for (std::size_t i = 0; i < y.size(); ++i) {
        const double angle = 2 * std::numbers::pi * t[k] * times[i];
        mean[i] += t[waves + 2 * k] * std::cos(angle) + t[waves + 2 * k + 1] * std::sin(angle);
      }
    return log_density_of_residuals(y, mean, 1);
  });
  double exact = -static_cast<double>(waves) * std::log(highest);
  if (waves == 1) {
    exact += log_integral(
        [&](double f) { return log_linear_evidence(products(wave_columns(times, f), y), 1, kAmplitudeSd); },
        panels(0, highest, static_cast<std::size_t>(std::ceil(20 * highest))));
  } else {
    const auto points = rule(panels(0, highest, 24));
    std::vector<Columns> columns;
    for (const auto& point : points) columns.push_back(wave_columns(times, point.first));
    exact += log_integral_of_pairs(points, columns, y, 1, kAmplitudeSd);
  }
  return {name, model, exact, 1e-8, "given the frequencies a linear model; quadrature over them"};
}

/// y = A1 exp(-k1 t) + A2 exp(-k2 t) + N(0, noise^2), amplitudes N(0, 2^2), rates log-uniform(0.05, 10), in any order.
Problem two_exponentials(const std::string& name, double noise, std::uint64_t instance) {
  constexpr double kAmplitudeSd = 2, kSlowest = 0.05, kFastest = 10;
  Stream stream = numbers_of(name, instance);
  std::vector<double> times, y;
  for (int i = 0; i < 25; ++i) {
    times.push_back(0.2 * (i + 0.5));
    y.push_back(std::exp(-0.3 * times.back()) + std::exp(-2 * times.back()) + noise * stream.normal());
  }
  ParameterSpace space = alike(2, log_uniform(kSlowest, kFastest), "rate");
  space.add("amplitude1", normal(0, kAmplitudeSd)).add("amplitude2", normal(0, kAmplitudeSd));
  auto model = lift(space, [=](std::span<const double> t) {
    std::vector<double> mean(y.size());
    for (std::size_t i = 0; i < y.size(); ++i)
      mean[i] = t[2] * std::exp(-t[0] * times[i]) + t[3] * std::exp(-t[1] * times[i]);
    return log_density_of_residuals(y, mean, noise);
  });
  const auto points = rule(panels(std::log(kSlowest), std::log(kFastest), 20));
  std::vector<Columns> columns;
  for (const auto& point : points) {
    columns.emplace_back(1);
    for (const double t : times) columns.back()[0].push_back(std::exp(-std::exp(point.first) * t));
  }
  const double exact =
      log_integral_of_pairs(points, columns, y, noise, kAmplitudeSd) - 2 * std::log(std::log(kFastest / kSlowest));
  return {name, model, exact, 1e-8, "given the rates a linear model; quadrature over them"};
}

SuiteEntry waves_entry(const std::string& family, const std::string& name, std::size_t waves, double highest) {
  return drawn_entry(family, name, [=](std::uint64_t instance) { return sinusoids(name, waves, highest, instance); });
}

SuiteEntry decays_entry(const std::string& family, const std::string& name, double noise) {
  return drawn_entry(family, name, [=](std::uint64_t instance) { return two_exponentials(name, noise, instance); });
}

}  // namespace

SuiteEntries waves() {
  const std::string family = "waves and decays";
  return {waves_entry(family, "1 sinusoid d=3", 1, 8), waves_entry(family, "2 sinusoids d=6", 2, 3),
          decays_entry(family, "2 exponentials d=4", 0.1)};
}

SuiteEntries more_waves(ParameterDraws& draws) {
  const double highest = draws.between(3, 10), noise = draws.between(0.05, 0.3);
  return {waves_entry(draws.family(), "1 sinusoid highest=" + shown(highest), 1, highest),
          decays_entry(draws.family(), "2 exponentials noise=" + shown(noise), noise)};
}

}  // namespace evident::problems
