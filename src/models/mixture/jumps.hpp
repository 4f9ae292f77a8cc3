// The two jumps between mixtures of k and k+1 components, and what they share.
//
// A mixture's theta is seen here as a list of components; a mixture of one has no weight in theta, its weight is 1.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "evident/model/family.hpp"
#include "models/mixture/gaussian_mixture.hpp"

namespace evident::mixture {

/// Split one component into two, or combine two neighbours.
std::unique_ptr<Jump> make_split(MixtureLabels labels);
/// Birth of a component, drawn from the prior, or death of one. `options` are complete.
std::unique_ptr<Jump> make_birth(const GaussianMixtureOptions& options);

struct Component {
  double mu, lambda, weight;
};

std::size_t component_count(std::span<const double> theta);
Component component(std::span<const double> theta, std::size_t j);
void set_component(std::span<double> theta, std::size_t j, const Component& c);
/// `to` gets the components of `from` and `c` at `place`; the weights of the others are multiplied by `factor`.
void insert_component(std::span<const double> from, std::size_t place, const Component& c, double factor,
                      std::span<double> to);
/// `to` gets the components of `from` without the one at `place`; their weights are multiplied by `factor`.
void erase_component(std::span<const double> from, std::size_t place, double factor, std::span<double> to);

/// Up to k+1 or down to k-1: each with probability 1/2 when both have a prior probability, else the one that has.
/// 0 when there is none.
ModelIndex choose_neighbour(const ModelPrior& models, ModelIndex k, Stream& random);
/// Log probability that choose_neighbour picks `to`.
double log_neighbour(const ModelPrior& models, ModelIndex k, ModelIndex to);

/// Uniform on 0 .. count-1.
std::size_t draw_index(Stream& random, std::size_t count);

/// A jump to k+1 or k-1 components in one of several equally likely ways, with three auxiliary numbers on the way up:
/// mean, precision and weight of one component more.
class NeighbourJump : public Jump {
 public:
  std::optional<JumpChoice> choose(const ModelPrior& models, ModelIndex from, std::span<const double> theta,
                                   Stream& random) const final;
  double log_choice(const ModelPrior& models, ModelIndex from, std::span<const double> theta,
                    const JumpChoice& choice) const final;
  std::size_t auxiliaries(ModelIndex from, ModelIndex to) const final { return to > from ? 3 : 0; }

 private:
  /// In how many ways the jump can be made.
  virtual std::size_t variants(ModelIndex from, ModelIndex to) const = 0;
};

}  // namespace evident::mixture
