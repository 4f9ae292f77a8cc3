// Kind "gaussian-mixture": how many normal components do the observations of one column have?
#include "evident/models/mixture/gaussian_mixture.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "study/kinds/all.hpp"

namespace evident::study {
namespace {

constexpr std::array<Field, 10> kFields = {{
    {"components", "whole number", "", "number of normal components, 1 to 64"},
    {"labels", "choice", "\"free\"", "free, or ordered: means increase; the evidence is the same"},
    {"mu_mean", "number", "middle of the data's range", "centre of the normal prior of the means"},
    {"mu_sd", "number", "length of the data's range, R", "standard deviation of the normal prior of the means"},
    {"lambda_shape", "number", "2", "shape of the gamma prior of the precisions"},
    {"lambda_scale", "number", "50 / R^2", "scale of the gamma prior of the precisions"},
    {"concentration", "number", "1", "of the symmetric Dirichlet prior of the weights"},
    {"floor", "number", "1e-13", "added to the density of each observation; 0 for none"},
    {"weight_moves", "whole number", "4", "moves of the weights in each of the model's own moves"},
    {"column", "text", "[data] column, else the only column, else y", "column of the observations"},
}};

std::shared_ptr<const Model> make(const Section& section, DataFiles& files) {
  constexpr std::array<std::string_view, 2> labels = {"free", "ordered"};
  GaussianMixtureOptions options;
  const auto components = section.integer("components", 1, 64);
  if (!components) section.fail("[[model]] of kind \"gaussian-mixture\" needs components, for example components = 3");
  options.components = *components;
  if (section.choice("labels", labels) == "ordered") options.labels = MixtureLabels::ordered;
  options.mean_center = section.number("mu_mean");
  options.mean_sd = section.number("mu_sd", above(0));
  options.precision_shape = section.number("lambda_shape", above(0)).value_or(options.precision_shape);
  options.precision_scale = section.number("lambda_scale", above(0));
  options.concentration = section.number("concentration", above(0)).value_or(options.concentration);
  options.floor = section.number("floor", at_least(0)).value_or(options.floor);
  options.weight_moves = section.integer("weight_moves", 0, 1000).value_or(options.weight_moves);
  options.own_move = options.weight_moves > 0;
  const std::string column = observed_column(section, "column", files);
  return std::make_shared<GaussianMixture>(options, files.main().numbers(column));
}

// The hand-set scales of Zhou, Johansen and Aston (2016) for this model. Rows of z: means, log precisions, weights.
ManualScale manual_scale(const Section&, const Model& model) {
  const std::size_t k = dynamic_cast<const GaussianMixture&>(model).options().components;
  return [k](std::size_t j, double alpha) {
    const double a = std::max(alpha, 0.05);
    if (j < k) return 0.15 / a;
    return (j < 2 * k ? 0.15 : 0.2) * (1 + 1 / std::sqrt(a));
  };
}

}  // namespace

const Kind kGaussianMixture = {"gaussian-mixture",
                               "A mixture of normal distributions with unknown means, precisions and weights", kFields,
                               make, manual_scale};

}  // namespace evident::study
