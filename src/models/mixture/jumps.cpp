#include "models/mixture/jumps.hpp"

#include <algorithm>
#include <cmath>

#include "evident/base/log_math.hpp"

namespace evident::mixture {

std::size_t component_count(std::span<const double> theta) { return theta.size() == 2 ? 1 : theta.size() / 3; }

Component component(std::span<const double> theta, std::size_t j) {
  const std::size_t k = component_count(theta);
  return {theta[j], theta[k + j], k == 1 ? 1.0 : theta[2 * k + j]};
}

void set_component(std::span<double> theta, std::size_t j, const Component& c) {
  const std::size_t k = component_count(theta);
  theta[j] = c.mu;
  theta[k + j] = c.lambda;
  if (k > 1) theta[2 * k + j] = c.weight;
}

void insert_component(std::span<const double> from, std::size_t place, const Component& c, double factor,
                      std::span<double> to) {
  for (std::size_t j = 0; j < component_count(from); ++j) {
    const Component old = component(from, j);
    set_component(to, j < place ? j : j + 1, {old.mu, old.lambda, old.weight * factor});
  }
  set_component(to, place, c);
}

void erase_component(std::span<const double> from, std::size_t place, double factor, std::span<double> to) {
  for (std::size_t j = 0; j < component_count(from); ++j) {
    if (j == place) continue;
    const Component old = component(from, j);
    set_component(to, j < place ? j : j - 1, {old.mu, old.lambda, old.weight * factor});
  }
}

ModelIndex choose_neighbour(const ModelPrior& models, ModelIndex k, Stream& random) {
  const bool up = models.has(k + 1), down = k > 1 && models.has(k - 1);
  if (up && down) return random.uniform() < 0.5 ? k + 1 : k - 1;
  return up ? k + 1 : down ? k - 1 : 0;
}

double log_neighbour(const ModelPrior& models, ModelIndex k, ModelIndex to) {
  const bool up = models.has(k + 1), down = k > 1 && models.has(k - 1);
  if (to == k + 1 ? !up : (to + 1 != k || !down)) return -kInf;
  return up && down ? -std::log(2.0) : 0.0;
}

std::size_t draw_index(Stream& random, std::size_t count) {
  return std::min(static_cast<std::size_t>(random.uniform() * static_cast<double>(count)), count - 1);
}

std::optional<JumpChoice> NeighbourJump::choose(const ModelPrior& models, ModelIndex from, std::span<const double>,
                                                Stream& random) const {
  const ModelIndex to = choose_neighbour(models, from, random);
  if (to == 0) return std::nullopt;
  return JumpChoice{to, draw_index(random, variants(from, to))};
}

double NeighbourJump::log_choice(const ModelPrior& models, ModelIndex from, std::span<const double>,
                                 const JumpChoice& choice) const {
  const std::size_t count = variants(from, choice.to);
  if (choice.variant >= count) return -kInf;
  return log_neighbour(models, from, choice.to) - std::log(static_cast<double>(count));
}

}  // namespace evident::mixture
