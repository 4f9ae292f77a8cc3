#include <algorithm>
#include <cmath>
#include <vector>

#include "models/mixture/choose.hpp"
#include "models/mixture/gaussian_mixture.hpp"

namespace evident {
namespace {

/// The weights of particle i; one component has no row of its own for them.
void read_weights(ConstBlock theta, std::size_t i, std::vector<double>& weights) {
  const std::size_t k = weights.size();
  if (k == 1)
    weights[0] = 1;
  else
    for (std::size_t j = 0; j < k; ++j) weights[j] = theta(2 * k + j, i);
}

}  // namespace

std::vector<Observed> GaussianMixture::observed() const { return {{.name = "y", .values = y_}}; }

void GaussianMixture::draw_observations(ConstBlock theta, const Streams& streams, std::uint32_t first,
                                        Block out) const {
  const std::size_t k = options_.components;
  std::vector<double> weights(k);
  for (std::size_t i = 0; i < theta.size(); ++i) {
    Stream stream = streams.at({.particle = first + static_cast<std::uint32_t>(i), .purpose = Purpose::simulate});
    read_weights(theta, i, weights);
    for (std::size_t row = 0; row < y_.size(); ++row) {
      const std::size_t j = mixture::choose(weights, stream.uniform());
      out(row, i) = theta(j, i) + stream.normal() / std::sqrt(theta(k + j, i));
    }
  }
}

void GaussianMixture::predict(ConstBlock theta, Block out) const {
  std::vector<double> weights(options_.components);
  for (std::size_t i = 0; i < theta.size(); ++i) {
    read_weights(theta, i, weights);
    double mean = 0;
    for (std::size_t j = 0; j < weights.size(); ++j) mean += weights[j] * theta(j, i);
    for (std::size_t row = 0; row < y_.size(); ++row) out(row, i) = mean;
  }
}

}  // namespace evident
