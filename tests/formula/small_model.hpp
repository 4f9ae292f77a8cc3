// Formula models from a few lines, for the tests.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "evident/formula/model.hpp"

namespace evident::formula {

using Lines = std::vector<std::pair<std::string, std::string>>;

inline std::vector<Definition> definitions(const Lines& lines) {
  std::vector<Definition> out;
  for (const auto& [key, text] : lines) out.push_back({{"s.toml", 1, 1, key}, {"s.toml", 1, 1, text}});
  return out;
}

inline std::shared_ptr<const DataSet> numbers(const std::vector<std::pair<std::string, std::vector<double>>>& columns) {
  DataSet out{.table_rows = {columns.front().second.size()}};
  for (const auto& [name, values] : columns) out.columns.push_back({.name = name, .numbers = values});
  return std::make_shared<const DataSet>(std::move(out));
}

struct StateParts {
  std::string name{}, start{}, rate{};
};

struct OdeParts {
  std::vector<StateParts> states{};
  std::string time = "t", from{};
  double tolerance = 1e-6;
  std::size_t max_steps = 10'000;
};

struct Parts {
  Lines parameters{}, let{}, likelihood{}, log_likelihood{};
  OdeParts ode{};
};

inline OdeText ode_text(const OdeParts& parts) {
  const auto source = [](const std::string& text) { return Source{"s.toml", 1, 1, text}; };
  OdeText out{.time = source(parts.time),
              .from = source(parts.from),
              .tolerance = parts.tolerance,
              .max_steps = parts.max_steps};
  for (const StateParts& s : parts.states) out.states.push_back({source(s.name), source(s.start), source(s.rate)});
  return out;
}

inline std::shared_ptr<const Model> make(std::shared_ptr<const DataSet> data, const Parts& parts) {
  FormulaText text{.data = std::move(data)};
  text.parameters = definitions(parts.parameters);
  text.let = definitions(parts.let);
  text.likelihood = definitions(parts.likelihood);
  text.log_likelihood = definitions(parts.log_likelihood);
  if (!parts.ode.states.empty()) text.ode = ode_text(parts.ode);
  return make_formula_model(text);
}

inline std::string problem(std::shared_ptr<const DataSet> data, const Parts& parts) {
  try {
    make(std::move(data), parts);
  } catch (const InputError& e) {
    return e.what();
  }
  return "no problem";
}

inline double log_likelihood(const Model& model, const std::vector<double>& theta) {
  BlockStorage block(theta.size(), 1);
  for (std::size_t j = 0; j < theta.size(); ++j) std::fill_n(block.block().row_data(j), kLane, theta[j]);
  std::vector<double> out(1);
  model.log_likelihood(block, out);
  return out[0];
}

inline std::vector<double> gradient(const Model& model, const std::vector<double>& theta) {
  BlockStorage block(theta.size(), 1), prior(theta.size(), 1), slopes(theta.size(), 1);
  for (std::size_t j = 0; j < theta.size(); ++j) std::fill_n(block.block().row_data(j), kLane, theta[j]);
  model.gradient(block, prior, slopes);
  std::vector<double> out;
  for (std::size_t j = 0; j < theta.size(); ++j) out.push_back(slopes(j, 0));
  return out;
}

/// Central differences of the model's own value.
inline std::vector<double> differences(const Model& model, std::vector<double> theta) {
  std::vector<double> out;
  for (double& t : theta) {
    const double centre = t, h = 1e-5 * std::max(1.0, std::abs(centre));
    const auto at = [&](double x) {
      t = x;
      return log_likelihood(model, theta);
    };
    // Richardson's extrapolation.
    const double wide = (at(centre + 2 * h) - at(centre - 2 * h)) / (4 * h),
                 narrow = (at(centre + h) - at(centre - h)) / (2 * h);
    out.push_back((4 * narrow - wide) / 3);
    t = centre;
  }
  return out;
}

}  // namespace evident::formula
