// Kind "gaussian-mixture": how many normal components do the observations of one column have?
#include "models/mixture/gaussian_mixture.hpp"

#include <array>
#include <map>

#include "dist/multivariate.hpp"
#include "evident/base/error.hpp"
#include "model/model_priors.hpp"
#include "models/mixture/mixture_family.hpp"
#include "study/kinds/all.hpp"

namespace evident::study {
namespace {

constexpr std::array<Field, 10> kFields = {{
    {"components", "whole number", "", "number of normal components, 1 to 64"},
    {"labels", "choice", "\"ordered\"", "ordered: means increase; or free; the evidence is the same"},
    {"mu_mean", "number", "middle of the data's range", "centre of the normal prior of the means"},
    {"mu_sd", "number", "length of the data's range, R", "standard deviation of the normal prior of the means"},
    {"lambda_shape", "number", "2", "shape of the gamma prior of the precisions"},
    {"lambda_scale", "number", "50 / R^2", "scale of the gamma prior of the precisions"},
    {"concentration", "number", "1", "of the symmetric Dirichlet prior of the weights"},
    {"floor", "number", "1e-13", "added to the density of each observation; 0 for none"},
    {"weight_moves", "whole number", "4", "moves of the weights in each of the model's own moves"},
    {"column", "text", "[data] column, else the only column, else y", "column of the observations"},
}};

constexpr std::array<Field, 1> kFamilyFields = {{
    {"components", "text", "",
     "prior of their number: \"uniform(1, 10)\", \"poisson(mean=3)\" or \"geometric(p=0.5)\""},
}};

std::uint64_t read_components(const Section& section) {
  const auto components = section.integer("components", 1, 64);
  if (!components) section.fail("[[model]] of kind \"gaussian-mixture\" needs components, for example components = 3");
  return *components;
}

// Everything but the number of components.
GaussianMixtureOptions read_options(const Section& section) {
  constexpr std::array<std::string_view, 2> labels = {"free", "ordered"};
  GaussianMixtureOptions options;
  options.labels = section.choice("labels", labels) == "free" ? MixtureLabels::free : MixtureLabels::ordered;
  options.mean_center = section.number("mu_mean");
  options.mean_sd = section.number("mu_sd", above(0));
  options.precision_shape = section.number("lambda_shape", above(0)).value_or(options.precision_shape);
  options.precision_scale = section.number("lambda_scale", above(0));
  options.concentration = section.number("concentration", above(0)).value_or(options.concentration);
  options.floor = section.number("floor", at_least(0)).value_or(options.floor);
  options.weight_moves = section.integer("weight_moves", 0, 1000).value_or(options.weight_moves);
  options.own_move = options.weight_moves > 0;
  return options;
}

std::vector<double> read_observations(const Section& section, DataFiles& files) {
  return files.main().numbers(observed_column(section, "column", files));
}

std::shared_ptr<const Model> make(const Section& section, DataFiles& files) {
  const std::uint64_t components = read_components(section);
  GaussianMixtureOptions options = read_options(section);
  options.components = components;
  return std::make_shared<GaussianMixture>(options, read_observations(section, files));
}

FamilyCandidate from_models(std::span<const ListedModel> models, DataFiles& files) {
  std::map<ModelIndex, double> weights;
  FamilyCandidate out;
  for (const ListedModel& m : models) {
    const ModelIndex k = read_components(m.section);
    weights[k] = m.weight;
    out.listed.emplace_back(k, m.name);
  }
  const Section& any = models.front().section;
  out.family = std::make_shared<MixtureFamily>(read_options(any), read_observations(any, files),
                                               std::make_shared<ListedModels>(weights));
  return out;
}

CountPrior read_prior(const Section& section) {
  const auto text = section.text("components");
  if (!text)
    section.fail("[family] of kind \"gaussian-mixture\" needs components, for example components = \"uniform(1, 10)\"");
  try {
    return CountPrior::parse(*text);
  } catch (const InputError& e) {
    section.fail("components", e.message());
  }
}

FamilyCandidate from_table(const Section& section, DataFiles& files) {
  constexpr ModelIndex longest_list = 100;
  const auto prior = std::make_shared<CountPrior>(read_prior(section));
  FamilyCandidate out;
  out.family = std::make_shared<MixtureFamily>(read_options(section), read_observations(section, files), prior);
  // Without an end there is no list: what is visited is what is told.
  if (!prior->has(longest_list + 1))
    for (ModelIndex k = 1; k <= longest_list; ++k)
      if (prior->has(k)) out.listed.emplace_back(k, out.family->name(k));
  return out;
}

constexpr FamilyKind kFamily = {"components", kFamilyFields, from_models, from_table};

ManualScale manual_scale(const Section&, const Model& model) {
  const std::size_t k = dynamic_cast<const GaussianMixture&>(model).options().components;
  return [k](std::size_t j, double alpha) { return mixture_manual_scale(k, j, alpha); };
}

}  // namespace

const Kind kGaussianMixture = {"gaussian-mixture",
                               "A mixture of normal distributions with unknown means, precisions and weights",
                               kFields,
                               make,
                               manual_scale,
                               &kFamily};

}  // namespace evident::study
