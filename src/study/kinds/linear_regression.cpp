// Kind "linear-regression": which covariates does a response depend on?
#include "models/regression/linear_regression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "model/model_priors.hpp"
#include "models/regression/regression_family.hpp"
#include "study/kinds/all.hpp"

namespace evident::study {
namespace {

constexpr std::array<Field, 7> kFields = {{
    {"response", "text", "[data] column, else y", "column of the response"},
    {"covariates", "list of texts", "none", "columns of the covariates that are in; none: the intercept alone"},
    {"standardise", "true or false", "true", "centre and scale each covariate, so that one prior fits all"},
    {"precision_shape", "number", "1", "shape of the gamma prior of the errors' precision"},
    {"precision_rate", "number", "1", "rate of that prior, in squared units of the response"},
    {"intercept_scale", "number", "10", "standard deviation of the intercept's prior, in units of the errors' sd"},
    {"coefficient_scale", "number", "1", "standard deviation of a coefficient's prior, in units of the errors' sd"},
}};

constexpr std::array<Field, 2> kFamilyFields = {{
    {"covariates", "list of texts", "every column but the response", "columns of the covariates that may be in"},
    {"inclusion", "number", "0.5", "prior probability of each covariate to be in"},
}};

RegressionOptions read_options(const Section& section) {
  RegressionOptions options;
  options.precision_shape = section.number("precision_shape", above(0)).value_or(options.precision_shape);
  options.precision_rate = section.number("precision_rate", above(0)).value_or(options.precision_rate);
  options.intercept_scale = section.number("intercept_scale", above(0)).value_or(options.intercept_scale);
  options.coefficient_scale = section.number("coefficient_scale", above(0)).value_or(options.coefficient_scale);
  return options;
}

std::vector<std::string> read_covariates(const Section& section) {
  return section.texts("covariates").value_or(std::vector<std::string>{});
}

std::shared_ptr<const RegressionData> read_data(const Section& section, DataFiles& files,
                                                const std::vector<std::string>& covariates) {
  const std::string response = observed_column(section, "response", files);
  if (std::ranges::find(covariates, response) != covariates.end())
    section.fail("covariates", fmt::format("names the response '{}' itself", response));
  if (covariates.size() > RegressionData::kMaxCovariates)
    section.fail("covariates",
                 fmt::format("must not be more than {}, was {}", RegressionData::kMaxCovariates, covariates.size()));
  std::vector<std::vector<double>> columns;
  for (const std::string& name : covariates) columns.push_back(files.main().numbers(name));
  return std::make_shared<const RegressionData>(files.main().numbers(response), std::move(columns), covariates,
                                                section.flag("standardise").value_or(true));
}

std::shared_ptr<const Model> make(const Section& section, DataFiles& files) {
  const std::vector<std::string> covariates = read_covariates(section);
  const CovariateSet all = (CovariateSet{1} << covariates.size()) - 1;
  return std::make_shared<LinearRegression>(read_data(section, files, covariates), read_options(section), all);
}

// The data of a family hold every covariate that some model has; a model's bits say which are its own.
FamilyCandidate from_models(std::span<const ListedModel> models, DataFiles& files) {
  std::vector<std::string> all;
  for (const ListedModel& m : models)
    for (const std::string& name : read_covariates(m.section))
      if (std::ranges::find(all, name) == all.end()) all.push_back(name);
  std::map<ModelIndex, double> weights;
  FamilyCandidate out;
  for (const ListedModel& m : models) {
    ModelIndex k = 0;
    for (const std::string& name : read_covariates(m.section))
      k |= ModelIndex{1} << (std::ranges::find(all, name) - all.begin());
    weights[k] = m.weight;
    out.listed.emplace_back(k, m.name);
  }
  const Section& any = models.front().section;
  out.family = std::make_shared<RegressionFamily>(read_data(any, files, all), read_options(any),
                                                  std::make_shared<ListedModels>(weights));
  return out;
}

FamilyCandidate from_table(const Section& section, DataFiles& files) {
  std::vector<std::string> covariates = read_covariates(section);
  if (covariates.empty()) {
    const std::string response = observed_column(section, "response", files);
    std::ranges::copy_if(files.columns(), std::back_inserter(covariates),
                         [&](const std::string& name) { return name != response; });
  }
  const double inclusion = section.number("inclusion", above_and_below(0, 1)).value_or(0.5);
  FamilyCandidate out;
  out.family = std::make_shared<RegressionFamily>(read_data(section, files, covariates), read_options(section),
                                                  std::make_shared<InclusionPrior>(covariates.size(), inclusion));
  return out;
}

constexpr FamilyKind kFamily = {"covariates", kFamilyFields, from_models, from_table};

}  // namespace

const Kind kLinearRegression = {"linear-regression",
                                "A linear regression with normal errors; its evidence is known exactly",
                                kFields,
                                make,
                                nullptr,
                                &kFamily};

}  // namespace evident::study
