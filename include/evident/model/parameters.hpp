// Parameters: names, priors, supports, and the map to the unconstrained scale on which proposals are made.
//
//   ParameterSpace space;
//   space.add("mu", normal(0, 10));
//   space.add("sigma", half_normal(1));            // moves on the log scale
//   space.add("k1", uniform(0, 1));                // moves on the logit scale
//   space.add("k2", uniform("k1", 10));            // a prior may depend on earlier parameters
//   space.add_simplex("weight", {1, 1, 1});        // weight[1], weight[2], weight[3]; two free coordinates
//
// Letters: theta is the parameter as the user knows it, z its unconstrained image. All samplers move z; all models see
// theta. The density of z is prior(theta) |dtheta/dz|, so the evidence does not change.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "evident/base/block.hpp"
#include "evident/base/random.hpp"
#include "evident/dist/distribution.hpp"

namespace evident {

/// How a parameter is moved.
enum class Scale {
  automatic,  ///< from the support: line -> identity, half-line -> log, interval -> logit;
              ///< asinh on the line for tails without a fourth moment, with location and scale that are numbers
  identity,   ///< as it is; proposals outside the support are rejected
  log,        ///< z = log(theta - lower)
  logit,      ///< z = log((theta - lower) / (upper - theta))
  asinh,      ///< z = asinh((theta - location) / scale): as it is near the location, its logarithm far out
};

class ParameterSpace {
 public:
  struct Item;  ///< one entry; defined inside the library

  ParameterSpace& add(const std::string& name, Distribution prior, Scale scale = Scale::automatic);
  /// Dirichlet prior; components are called name[1], name[2], ...; one coordinate fewer than components.
  ParameterSpace& add_simplex(const std::string& name, std::vector<double> concentration);
  ParameterSpace& add_multivariate_normal(const std::string& name, std::vector<double> mean,
                                          std::vector<double> covariance);

  std::size_t size() const { return names_.size(); }            ///< rows of theta
  std::size_t free_size() const { return free_names_.size(); }  ///< rows of z
  const std::vector<std::string>& names() const { return names_; }
  const std::vector<std::string>& free_names() const { return free_names_; }
  /// Index of a parameter; throws InputError, with the nearest name, when there is none.
  std::size_t index(std::string_view name) const;
  /// The prior as text, "normal(mean=0, sd=10)", per parameter.
  std::string prior_text(std::size_t j) const;
  /// Are all priors of families()? Draws and densities of these belong together.
  bool priors_are_built_in() const;

  /// Independent draws, one stream a particle; column 0 is particle `first`.
  void draw(const Streams& streams, std::uint32_t first, Block theta) const;
  void draw(Stream& stream, std::span<double> theta) const;
  /// out[i] = log prior density of theta's column i.
  void log_density(ConstBlock theta, std::span<double> out) const;

  /// theta from z, and log |dtheta/dz|.
  void constrain(ConstBlock z, Block theta, std::span<double> log_jacobian) const;
  /// z from theta. Values on a bound are moved inside by one part in 1e15, so that z stays finite.
  void unconstrain(ConstBlock theta, Block z) const;
  /// From the gradient in theta of f to the gradient in z of f(theta(z)); adds that of log |dtheta/dz| when asked.
  void pull_back(ConstBlock z, ConstBlock theta, ConstBlock d_theta, Block d_z, bool add_log_jacobian) const;
  /// Gradient in theta of the log prior density.
  void gradient(ConstBlock theta, Block out) const;

 private:
  /// The next row of theta; throws InputError when the name is taken.
  void add_row(const std::string& name, bool is_free = true);

  std::vector<std::shared_ptr<const Item>> items_;
  std::vector<std::string> names_, free_names_;
  std::map<std::string, std::size_t, std::less<>> rows_;  ///< of names_
};

}  // namespace evident
