#include "problems/worlds.hpp"

#include <cmath>

#include "formula/small_model.hpp"
#include "model/model_priors.hpp"
#include "models/goodwin/goodwin.hpp"
#include "models/goodwin/simulate.hpp"
#include "models/mixture/mixture_family.hpp"
#include "models/mixture/simulate.hpp"
#include "models/pet/compartments.hpp"
#include "models/pet/simulate.hpp"
#include "models/regression/regression_family.hpp"

namespace evident::problems {
namespace {

std::vector<double> column(const BlockStorage& block) {
  std::vector<double> out(block.rows());
  for (std::size_t j = 0; j < out.size(); ++j) out[j] = block(j, 0);
  return out;
}

/// A model that lives in a family.
template <class Family>
std::shared_ptr<const Model> member(const std::shared_ptr<Family>& family, ModelIndex k) {
  return {family, &family->model(k)};
}

struct PetCase {
  PetOptions options;
  std::shared_ptr<const ConvolutionTable> table;
};

PetFrames few_frames() {
  return frames_from_durations(std::vector<double>{0, 30, 60, 120, 240, 420, 720, 1200, 1800, 2700, 3600, 4500},
                               std::vector<double>{30, 30, 60, 120, 180, 300, 480, 600, 900, 900, 900, 900});
}

PetOptions pet_options(std::size_t compartments, bool student) {
  PetOptions options = zhou2013_n(compartments);
  options.phi = {{1e-3, 1e-2}};
  options.theta = {{2e-4, 5e-3}, {5e-4, 2e-2}};
  options.precision_shape = 3;
  options.precision_scale = 0.003;
  if (student) options.noise = PetNoise::student;
  return options;
}

WorldModel pet_model(PetOptions options) {
  const PetStudy study = simulate_pet({.frames = few_frames()}, Streams({.seed = 1}));
  auto table = make_table(study.input(), study.frames, options);
  const std::size_t m = options.compartments;
  WorldModel out{std::to_string(m) + (m == 1 ? " compartment" : " compartments"),
                 [=](const Observations& y) { return std::make_shared<const PetCompartments>(options, table, y); }};
  out.simulate = [=](const std::vector<double>& theta, const Streams& streams) {
    PetSimulation what{.noise = options.noise, .frames = few_frames()};
    const auto at = [&](std::size_t j) { return theta.begin() + static_cast<std::ptrdiff_t>(j); };
    what.phi.assign(at(0), at(m));
    what.theta.assign(at(m), at(2 * m));
    if (options.marginal_precision) {
      Stream random = streams.at({.step = 1, .purpose = Purpose::simulate});
      what.lambda = gamma_scale(options.precision_shape, options.precision_scale).draw(random);
    } else {
      what.lambda = theta[2 * m];
    }
    if (options.noise == PetNoise::student) what.inverse_nu = theta[2 * m + 1];
    return simulate_pet(what, streams).activity;
  };
  return out;
}

World pet(std::string name, bool student, bool marginal) {
  World world{std::move(name), {}, Observations(12, 1.0)};
  for (const std::size_t m : {1, 2}) {
    PetOptions options = pet_options(m, student);
    options.marginal_precision = marginal;
    options.gibbs_precision = !student && !marginal;
    world.models.push_back(pet_model(options));
  }
  return world;
}

}  // namespace

std::vector<std::shared_ptr<const Model>> World::models_given(const Observations& y) const {
  std::vector<std::shared_ptr<const Model>> out;
  for (const WorldModel& m : models) out.push_back(m.given(y));
  return out;
}

Observations observations(const Model& model, const std::vector<double>& theta, const Streams& streams,
                          std::uint32_t number) {
  BlockStorage at(theta.size(), 1);
  for (std::size_t j = 0; j < theta.size(); ++j) std::fill_n(at.block().row_data(j), kLane, theta[j]);
  std::size_t rows = 0;
  for (const Observed& o : model.observed()) rows += o.values.size();
  BlockStorage out(rows, 1);
  model.draw_observations(at, streams, number, out);
  return column(out);
}

Truth draw(const World& world, std::size_t model, const Streams& streams) {
  const WorldModel& maker = world.models[model];
  const auto blank = maker.given(world.blank);
  BlockStorage theta(blank->parameters().size(), 1);
  blank->draw_prior(streams, 0, theta);
  Truth out{model, column(theta), {}};
  out.y = maker.simulate ? maker.simulate(out.theta, streams) : observations(*blank, out.theta, streams, 0);
  return out;
}

Truth draw(const World& world, const Streams& streams) {
  Stream random = streams.at({.purpose = Purpose::jump});
  double left = random.uniform();
  std::size_t model = 0;
  while (model + 1 < world.models.size() && left >= world.prior(model)) left -= world.prior(model++);
  return draw(world, model, streams);
}

World regression_world() {
  const std::vector<std::vector<double>> columns = {{-1.3, -0.8, -0.5, -0.1, 0.2, 0.6, 0.7, 1.2},
                                                    {0.4, -1.1, 0.9, -0.6, 1.3, -0.9, 0.8, -0.8}};
  const auto prior = std::make_shared<InclusionPrior>(2, 0.4);
  const auto family = [=](const Observations& y) {
    return std::make_shared<const RegressionFamily>(
        std::make_shared<const RegressionData>(y, columns, std::vector<std::string>{}),
        RegressionOptions{.precision_shape = 3, .precision_rate = 2, .intercept_scale = 2}, prior);
  };
  World world{"linear regression", {}, {1, 2, 0, 1, 2, 1, 0, 2}};
  world.family = family;
  for (ModelIndex k = 0; k < 4; ++k) {
    world.models.push_back({family(world.blank)->name(k), [=](const Observations& y) { return member(family(y), k); }});
    world.probability.push_back(std::exp(prior->log_probability(k)));
    world.indices.push_back(k);
  }
  return world;
}

World mixture_world(ModelIndex most) {
  const GaussianMixtureOptions options{.labels = MixtureLabels::ordered,
                                       .mean_center = 0.0,
                                       .mean_sd = 2.0,
                                       .precision_shape = 3,
                                       .precision_scale = 1.0,
                                       .concentration = 2,
                                       .floor = 0};
  const auto prior = std::make_shared<CountPrior>(CountPrior::uniform(1, most));
  const auto family = [=](const Observations& y) { return std::make_shared<const MixtureFamily>(options, y, prior); };
  World world{"mixture", {}, {-2, -1, 0, 1, 2, 3, -1, 0, 1, 2}};
  world.family = family;
  for (ModelIndex k = 1; k <= most; ++k) {
    WorldModel model{family(world.blank)->name(k), [=](const Observations& y) { return member(family(y), k); }};
    model.simulate = [=](const std::vector<double>& theta, const Streams& streams) {
      MixtureTruth truth{{}, {}, {}};
      for (std::size_t j = 0; j < k; ++j) {
        truth.means.push_back(theta[j]);
        truth.sds.push_back(1 / std::sqrt(theta[k + j]));
        truth.weights.push_back(k == 1 ? 1 : theta[2 * k + j]);
      }
      return simulate_mixture(truth, 10, streams);
    };
    world.models.push_back(std::move(model));
    world.indices.push_back(k);
  }
  return world;
}

World pet_world(bool student) { return pet(student ? "PET, Student t" : "PET", student, false); }
World pet_marginal_world() { return pet("PET, precision integrated out", false, true); }

World goodwin_world(std::size_t own_tries) {
  const std::vector<double> times = {1, 2, 4, 6, 9, 12};
  World world{own_tries > 0 ? "Goodwin, own moves" : "Goodwin", {}, Observations(12, 1.0)};
  for (const std::size_t m : {2, 3}) {
    GoodwinOptions options{.components = m, .sigma = 0.5, .own_tries = own_tries};
    std::vector<double> centre = {0.5, 2, 0.1};
    centre.resize(m + 2, 1.0);
    for (const double c : centre) options.priors.push_back(gamma_rate(4, 4 / c));
    WorldModel model{std::to_string(m) + " substances", [=](const Observations& y) {
                       const auto middle = y.begin() + static_cast<std::ptrdiff_t>(times.size());
                       return std::make_shared<const Goodwin>(
                           GoodwinData{times, {0, 1}, {{y.begin(), middle}, {middle, y.end()}}}, options);
                     }};
    model.simulate = [=](const std::vector<double>& theta, const Streams& streams) {
      const GoodwinData data = simulate_goodwin({.theta = theta, .times = times, .sigma = options.sigma}, streams);
      Observations y = data.values[0];
      y.insert(y.end(), data.values[1].begin(), data.values[1].end());
      return y;
    };
    world.models.push_back(std::move(model));
  }
  return world;
}

World formula_world() {
  const std::vector<double> t = {0.1, 0.3, 0.6, 1, 1.5, 2.2, 3, 4};
  World world{"formula", {}, Observations(t.size(), 1.0)};
  const formula::Parts one{
      .parameters = {{"A", "normal(3, 1)"}, {"k", "gamma(shape=3, rate=3)"}, {"sigma", "half-normal(0.5)"}},
      .likelihood = {{"y", "normal(A * exp(-k*t), sigma)"}}};
  const formula::Parts two{.parameters = {{"A", "normal(3, 1)"},
                                          {"k", "gamma(shape=3, rate=3)"},
                                          {"share", "beta(2, 2)"},
                                          {"k2", "uniform(k, 12)"},
                                          {"sigma", "half-normal(0.5)"}},
                           .let = {{"mean", "A * (share * exp(-k*t) + (1-share) * exp(-k2*t))"}},
                           .likelihood = {{"y", "normal(mean, sigma)"}}};
  for (const auto& [name, parts] : {std::pair{"one exponential", one}, std::pair{"two exponentials", two}})
    world.models.push_back({name, [t, parts = parts](const Observations& y) {
                              return formula::make(formula::numbers({{"t", t}, {"y", y}}), parts);
                            }});
  return world;
}

World ode_world() {
  const std::vector<double> t = {0.5, 1, 1.5, 2, 3, 4};
  World world{"formula with ODE", {}, Observations(t.size(), 3.0)};
  const formula::Lines likelihood = {{"n", "poisson(x)"}};
  const formula::Parts exponential{.parameters = {{"x0", "gamma(shape=4, rate=1)"}, {"r", "normal(0.5, 0.3)"}},
                                   .likelihood = likelihood,
                                   .ode = {.states = {{"x", "x0", "r * x"}}}};
  const formula::Parts logistic{.parameters = {{"x0", "gamma(shape=4, rate=1)"},
                                               {"r", "gamma(shape=4, rate=4)"},
                                               {"top", "gamma(shape=4, rate=0.2)"}},
                                .likelihood = likelihood,
                                .ode = {.states = {{"x", "x0", "r * x * (1 - x / top)"}}}};
  for (const auto& [name, parts] : {std::pair{"exponential", exponential}, std::pair{"logistic", logistic}})
    world.models.push_back({name, [t, parts = parts](const Observations& y) {
                              return formula::make(formula::numbers({{"t", t}, {"n", y}}), parts);
                            }});
  return world;
}

}  // namespace evident::problems
