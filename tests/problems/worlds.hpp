// Models whose data can be drawn anew: what calibration and joint tests need.
//
// A world is a list of models of the same kind of data, each as likely as the others (or as its family says). Whoever
// draws a model, its parameters and then data knows what the posterior must be on average.
//
//   const World world = regression_world();
//   const Truth truth = draw(world, Streams({.seed = 1, .data_set = 7}));
//   const auto models = world.models_given(truth.y);         // one of them made these data
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "evident/model/family.hpp"
#include "evident/model/model.hpp"

namespace evident::problems {

using Observations = std::vector<double>;

struct WorldModel {
  std::string name;
  /// The model of given data.
  std::function<std::shared_ptr<const Model>(const Observations&)> given;
  /// Data by code that has nothing to do with the likelihood; empty: the model's own draws of new observations.
  std::function<Observations(const std::vector<double>& theta, const Streams&)> simulate = {};
};

struct World {
  std::string name;
  std::vector<WorldModel> models;
  Observations blank;                    ///< some data, to make a model of which only the prior is asked
  std::vector<double> probability = {};  ///< prior, of each model; empty: all alike
  /// For samplers on the union of the models: the family given data, and the index of each model in it.
  std::function<std::shared_ptr<const ModelFamily>(const Observations&)> family = {};
  std::vector<ModelIndex> indices = {};

  double prior(std::size_t m) const {
    return probability.empty() ? 1 / static_cast<double>(models.size()) : probability[m];
  }
  std::vector<std::shared_ptr<const Model>> models_given(const Observations& y) const;
};

struct Truth {
  std::size_t model = 0;
  std::vector<double> theta;
  Observations y;
};

/// A draw from the joint distribution of model, parameters and data.
Truth draw(const World& world, const Streams& streams);
/// The same for one of the models.
Truth draw(const World& world, std::size_t model, const Streams& streams);
/// New data from the model's own draws of new observations, whatever `simulate` is.
Observations observations(const Model& model, const std::vector<double>& theta, const Streams& streams,
                          std::uint32_t number);

/// All subsets of two covariates, eight rows.
World regression_world();
/// One ordered component to `most`, ten observations.
World mixture_world(ModelIndex most = 2);
/// One and two compartments, twelve frames; normal noise, or Student t.
World pet_world(bool student = false);
/// The same with the precision integrated out.
World pet_marginal_world();
/// Two and three substances seen at six times; `own_tries` as in GoodwinOptions.
World goodwin_world(std::size_t own_tries);
/// One exponential or two, written as formulas; a prior depends on another parameter.
World formula_world();
/// Exponential or logistic growth as a differential equation, counts as data.
World ode_world();

}  // namespace evident::problems
