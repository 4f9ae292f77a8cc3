#include "models/mixture/simulate.hpp"

#include <cmath>

#include "evident/base/error.hpp"
#include "models/mixture/choose.hpp"

namespace evident {
namespace {

void check(const MixtureTruth& truth) {
  const std::size_t k = truth.means.size();
  if (k == 0) throw InputError("simulated mixture: at least one component is needed");
  if (truth.sds.size() != k || truth.weights.size() != k)
    throw InputError("simulated mixture: means, sds and weights must have the same length");
  double total = 0;
  for (std::size_t j = 0; j < k; ++j) {
    if (!std::isfinite(truth.means[j])) throw InputError("simulated mixture: every mean must be a finite number");
    if (!(std::isfinite(truth.sds[j]) && truth.sds[j] > 0))
      throw InputError("simulated mixture: every sd must be a positive number");
    if (!(std::isfinite(truth.weights[j]) && truth.weights[j] >= 0))
      throw InputError("simulated mixture: no weight may be negative");
    total += truth.weights[j];
  }
  if (!(total > 0)) throw InputError("simulated mixture: one weight at least must be positive");
}

}  // namespace

std::vector<double> simulate_mixture(const MixtureTruth& truth, std::size_t observations, const Streams& streams) {
  check(truth);
  std::vector<double> y(observations);
  for (std::size_t i = 0; i < observations; ++i) {
    Stream stream = streams.at({.particle = static_cast<std::uint32_t>(i), .purpose = Purpose::simulate});
    const std::size_t j = mixture::choose(truth.weights, stream.uniform());
    y[i] = truth.means[j] + truth.sds[j] * stream.normal();
  }
  return y;
}

}  // namespace evident
