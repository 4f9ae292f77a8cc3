#include "models/mixture/gaussian_mixture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "dist/special.hpp"
#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "models/mixture/kernel.hpp"

namespace evident {
namespace {

void require(bool ok, const std::string& message) {
  if (!ok) throw InputError("gaussian mixture: " + message);
}

/// Far above any use; it keeps a slip of the pen from asking for all the memory.
constexpr std::size_t kMostComponents = 1'000'000;

bool positive(double x) { return std::isfinite(x) && x > 0; }

/// Checks everything and fills in what the data decide.
GaussianMixtureOptions complete(GaussianMixtureOptions o, const std::vector<double>& y) {
  require(o.components >= 1, "at least one component is needed");
  require(o.components <= kMostComponents, "the number of components must be at most " +
                                               std::to_string(kMostComponents) + ", not " +
                                               std::to_string(o.components));
  require(y.size() >= 2, "at least two observations are needed, there are " + std::to_string(y.size()));
  for (std::size_t i = 0; i < y.size(); ++i)
    require(std::isfinite(y[i]), "observation " + std::to_string(i + 1) + " is not a finite number");
  const auto [low, high] = std::minmax_element(y.begin(), y.end());
  const double range = *high - *low;
  require(positive(range), "the observations are all equal, or their range is not a finite number");
  if (!o.mean_center) o.mean_center = *low + 0.5 * range;
  if (!o.mean_sd) o.mean_sd = range;
  if (!o.precision_scale) o.precision_scale = 50 / (range * range);
  require(std::isfinite(*o.mean_center), "the prior mean of the means must be a finite number");
  require(positive(*o.mean_sd), "the prior sd of the means must be a positive number");
  require(positive(o.precision_shape), "the prior shape of the precisions must be a positive number");
  require(positive(*o.precision_scale), "the prior scale of the precisions must be a positive number");
  require(positive(o.concentration), "the concentration of the weights must be a positive number");
  require(std::isfinite(o.floor) && o.floor >= 0, "the floor must be zero or a positive number");
  return o;
}

ParameterSpace make_space(const GaussianMixtureOptions& o) {
  ParameterSpace space;
  const auto name = [](std::string stem, std::size_t j) {
    return stem.append("[").append(std::to_string(j + 1)) + "]";
  };
  for (std::size_t j = 0; j < o.components; ++j) space.add(name("mu", j), normal(*o.mean_center, *o.mean_sd));
  for (std::size_t j = 0; j < o.components; ++j)
    space.add(name("lambda", j), gamma_scale(o.precision_shape, *o.precision_scale));
  if (o.components > 1) space.add_simplex("weight", std::vector<double>(o.components, o.concentration));
  return space;
}

bool increasing(ConstBlock theta, std::size_t k, std::size_t i) {
  for (std::size_t j = 1; j < k; ++j)
    if (!(theta(j - 1, i) < theta(j, i))) return false;
  return true;
}

/// Puts the components of particle i in the order of their means; `parts` is room for k of them.
void sort_components(Block theta, std::size_t k, std::size_t i, std::vector<std::array<double, 3>>& parts) {
  const std::size_t fields = k == 1 ? 2 : 3;
  for (std::size_t j = 0; j < k; ++j)
    for (std::size_t f = 0; f < fields; ++f) parts[j][f] = theta(f * k + j, i);
  std::sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a[0] < b[0]; });
  for (std::size_t j = 0; j < k; ++j)
    for (std::size_t f = 0; f < fields; ++f) theta(f * k + j, i) = parts[j][f];
}

}  // namespace

GaussianMixture::GaussianMixture(const GaussianMixtureOptions& options, std::vector<double> observations)
    : options_(complete(options, observations)), y_(std::move(observations)), space_(make_space(options_)) {
  if (options_.labels == MixtureLabels::ordered)
    log_orders_ = dist::log_gamma(static_cast<double>(options_.components) + 1);
}

void GaussianMixture::log_likelihood(ConstBlock theta, std::span<double> out) const {
  mixture::log_likelihood({y_, options_.components, options_.floor}, theta, out);
}

void GaussianMixture::log_likelihood_of(ConstBlock theta, std::size_t first, std::size_t count,
                                        std::span<double> out) const {
  mixture::log_likelihood({std::span(y_).subspan(first, count), options_.components, options_.floor}, theta, out);
}

void GaussianMixture::draw_prior(const Streams& streams, std::uint32_t first, Block theta) const {
  space_.draw(streams, first, theta);
  if (options_.labels == MixtureLabels::free) return;
  std::vector<std::array<double, 3>> room(options_.components);
  for (std::size_t i = 0; i < theta.size(); ++i) sort_components(theta, options_.components, i, room);
}

void GaussianMixture::log_prior(ConstBlock theta, std::span<double> out) const {
  space_.log_density(theta, out);
  if (options_.labels == MixtureLabels::free) return;
  for (std::size_t i = 0; i < theta.size(); ++i)
    out[i] = increasing(theta, options_.components, i) ? out[i] + log_orders_ : -kInf;
}

void GaussianMixture::gradient(ConstBlock theta, Block d_log_prior, Block d_log_likelihood) const {
  space_.gradient(theta, d_log_prior);
  mixture::gradient({y_, options_.components, options_.floor}, theta, d_log_likelihood);
}

std::vector<std::vector<std::size_t>> GaussianMixture::groups() const {
  const std::size_t k = options_.components;
  std::vector<std::vector<std::size_t>> groups(k > 1 ? 3 : 2);
  for (std::size_t row = 0; row < space_.free_size(); ++row) groups[row / k].push_back(row);
  return groups;
}

}  // namespace evident
