// Kind "goodwin": how long is the chain of an oscillator of which a few states were seen?
#include "models/goodwin/goodwin.hpp"

#include <fmt/format.h>

#include <array>

#include "evident/base/error.hpp"
#include "study/kinds/all.hpp"

namespace evident::study {
namespace {

constexpr std::array<Field, 11> kFields = {{
    {"components", "whole number", "", "number of substances in the chain, 2 to 16"},
    {"rho", "number", "10", "exponent of the feedback"},
    {"sigma", "number", "0.2", "standard deviation of the observation errors"},
    {"time", "text", "\"time\"", "column of the observation times"},
    {"columns", "list of texts", "every column but time, in order", "columns of the observed states"},
    {"states", "list of whole numbers", "1, 2, ... in the order of columns", "which state each column is, from 1"},
    {"prior_shape", "number", "0.1", "shape of the gamma prior of every parameter"},
    {"prior_rate", "number", "0.1", "rate of the gamma prior of every parameter"},
    {"prior", "text or list", "gamma(shape=prior_shape, rate=prior_rate)",
     "one distribution for all parameters, or a list of one each (a0, a1, a2, k1, ...)"},
    {"max_steps", "whole number", "100000", "steps of the solver after which a parameter counts as impossible"},
    {"own_tries", "whole number", "3", "jumps between modes tried in each of the model's own moves; 0 = none"},
}};

GoodwinData read_data(const Section& section, DataFiles& files) {
  const Table& table = files.main();
  const std::string time = section.text("time").value_or("time");
  std::vector<std::string> columns = section.texts("columns").value_or(std::vector<std::string>{});
  if (columns.empty()) {
    for (const std::string& name : table.names()) {
      if (name != time) columns.push_back(name);
    }
  }
  GoodwinData data;
  data.times = table.numbers(time);
  data.states.clear();
  for (const std::string& column : columns) data.values.push_back(table.numbers(column));
  const auto states = section.integers("states", 1, 1000);
  if (states && states->size() != columns.size()) {
    section.fail("states", fmt::format("has {} entries for {} columns", states->size(), columns.size()));
  }
  for (std::size_t j = 0; j < columns.size(); ++j) data.states.push_back(states ? (*states)[j] - 1 : j);
  return data;
}

Distribution read_prior(const Section& section, const std::string& text) {
  try {
    return parse_distribution(text);
  } catch (const InputError& e) {
    section.fail("prior", fmt::format("is not a distribution: {}", e.message()));
  }
}

std::vector<Distribution> read_priors(const Section& section) {
  if (!section.has("prior")) return {};
  for (const char* key : {"prior_shape", "prior_rate"}) {
    if (section.has(key)) section.fail(key, "has no effect beside 'prior'");
  }
  const std::vector<std::string> texts = section.texts("prior").value();
  std::vector<Distribution> out;
  for (const std::string& text : texts) out.push_back(read_prior(section, text));
  return out;
}

std::shared_ptr<const Model> make(const Section& section, DataFiles& files) {
  GoodwinOptions options;
  const auto components = section.integer("components", 2, GoodwinProblem::kMaxComponents);
  if (!components) section.fail("[[model]] of kind \"goodwin\" needs components, for example components = 3");
  options.components = *components;
  options.rho = section.number("rho", above(0)).value_or(options.rho);
  options.sigma = section.number("sigma", above(0)).value_or(options.sigma);
  options.prior_shape = section.number("prior_shape", above(0)).value_or(options.prior_shape);
  options.prior_rate = section.number("prior_rate", above(0)).value_or(options.prior_rate);
  options.max_steps = section.integer("max_steps", 1, 1'000'000'000).value_or(options.max_steps);
  options.own_tries = section.integer("own_tries", 0, 1000).value_or(options.own_tries);
  options.priors = read_priors(section);
  return std::make_shared<Goodwin>(read_data(section, files), options);
}

ManualScale manual_scale(const Section&, const Model&) {
  return [](std::size_t, double alpha) { return goodwin_manual_scale(alpha); };
}

}  // namespace

const Kind kGoodwin = {"goodwin", "The Goodwin oscillator: a chain of substances with negative feedback", kFields, make,
                       manual_scale};

}  // namespace evident::study
