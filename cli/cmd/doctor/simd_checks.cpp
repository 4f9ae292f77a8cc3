#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/simd.hpp"
#include "cmd/doctor/pet_problem.hpp"
#include "cmd/doctor/self_test.hpp"
#include "models/mixture/gaussian_mixture.hpp"
#include "models/mixture/simulate.hpp"
#include "models/pet/reference.hpp"

namespace evident::cli::doctor {
namespace {

constexpr std::size_t kDraws = 251;  // no multiple of any vector's length

std::vector<double> likelihoods(const Model& model, const BlockStorage& theta) {
  AlignedVector<double> out(theta.size());
  model.log_likelihood(theta.block(), {out.data(), out.size()});
  return {out.begin(), out.end()};
}

/// Largest relative difference; infinite where one is finite and the other is not.
double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    const double relative = std::abs(a[i] - b[i]) / std::max(1.0, std::abs(b[i]));
    worst = std::max(worst, std::isfinite(relative) ? relative : INFINITY);
  }
  return worst;
}

/// One likelihood on each instruction set against `plain`.
Check on_each_target(Check check, const Model& model, const BlockStorage& theta, const std::vector<double>& plain) {
  constexpr double kTolerance = 1e-9;  // some thousand times what rounding in another order gives
  check.passed = true;
  double worst = 0;
  std::vector<std::string> names;
  for (const SimdTarget& target : simd_targets()) {
    if (!target.available) continue;
    const UseSimdTarget use(target.name);
    const double found = difference(likelihoods(model, theta), plain);
    worst = std::max(worst, found);
    names.push_back(target.name);
    check.numbers.emplace_back(target.name, found);
    if (found <= kTolerance) continue;
    check.passed = false;
    check.text += fmt::format("{}{} differs by {:.2g}", check.text.empty() ? "" : ", ", target.name, found);
  }
  if (check.passed)
    check.text = fmt::format("{} agree with plain code, to {:.0e}", fmt::join(names, ", "), worst);
  else
    check.advice =
        "likelihoods are computed wrongly on this processor; try another build or package, and report what "
        "'evident doctor --json' prints";
  return check;
}

template <class F>
std::vector<double> one_by_one(const BlockStorage& draws, const F& likelihood) {
  std::vector<double> out(draws.size()), one(draws.rows());
  for (std::size_t i = 0; i < out.size(); ++i) {
    for (std::size_t j = 0; j < one.size(); ++j) one[j] = draws(j, i);
    out[i] = likelihood(one);
  }
  return out;
}

Check pet() {
  const PetProblem problem(kDraws);
  const auto twin = [&](std::span<const double> theta) {
    return pet_log_likelihood_table(problem.model.options(), *problem.model.table(), problem.study.activity, theta);
  };
  return on_each_target({.key = "simd_pet", .label = "PET likelihood", .text = {}}, problem.model, problem.draws,
                        one_by_one(problem.draws, twin));
}

/// The mixture as it is written in books, one draw at a time.
double plain_mixture(const GaussianMixture& model, std::span<const double> theta) {
  constexpr double kLog2Pi = 1.8378770664093454836;
  const std::size_t k = model.options().components;
  double sum = 0;
  for (const double y : model.observations()) {
    double density = model.options().floor;
    for (std::size_t j = 0; j < k; ++j) {
      const double lambda = theta[k + j], away = y - theta[j];
      density += theta[2 * k + j] * std::sqrt(lambda) * std::exp(-0.5 * lambda * away * away);
    }
    sum += std::log(density) - 0.5 * kLog2Pi;
  }
  return sum;
}

Check mixture() {
  const GaussianMixture model({.components = 4}, simulate_mixture({}, 100, Streams({.seed = 1})));
  BlockStorage draws(model.parameters().size(), kDraws);
  model.draw_prior(Streams({.seed = 1}), 0, draws);
  return on_each_target({.key = "simd_mixture", .label = "Mixture likelihood", .text = {}}, model, draws,
                        one_by_one(draws, [&](std::span<const double> theta) { return plain_mixture(model, theta); }));
}

}  // namespace

std::vector<Check> simd_checks() { return {pet(), mixture()}; }

}  // namespace evident::cli::doctor
