#include "problems/registry.hpp"

#include <algorithm>
#include <filesystem>

#include "evident/base/error.hpp"
#include "models/goodwin/goodwin.hpp"
#include "models/mixture/gaussian_mixture.hpp"
#include "models/pet/compartments.hpp"
#include "problems/published.hpp"
#include "problems/subsets.hpp"
#include "problems/sums.hpp"
#include "tables/table.hpp"

namespace evident::problems {
namespace {

using Maker = std::shared_ptr<const Model> (*)(const std::string& folder);

template <std::size_t m>
std::shared_ptr<const Model> pet(const std::string& folder) {
  const auto curve = Table::read(folder + "/pet/time-activity.csv");
  const auto plasma = Table::read(folder + "/pet/plasma-input.csv");
  return std::make_shared<PetCompartments>(zhou2013_n(m), PetInput(plasma.numbers("time"), plasma.numbers("CP")),
                                           PetFrames{curve.numbers("time"), curve.numbers("dt")}, curve.numbers("y"));
}

template <std::size_t k>
std::shared_ptr<const Model> mixture(const std::string& folder) {
  return std::make_shared<GaussianMixture>(GaussianMixtureOptions{.components = k, .labels = MixtureLabels::ordered},
                                           Table::read(folder + "/gmm/observations.csv").numbers("y"));
}

template <std::size_t m>
std::shared_ptr<const Model> goodwin(const std::string& path) {
  const auto table = Table::read(path);
  const GoodwinData data{table.numbers("time"), {0, 1}, {table.numbers("x1"), table.numbers("x2")}};
  return std::make_shared<Goodwin>(data, GoodwinOptions{.components = m});
}
template <std::size_t m>
std::shared_ptr<const Model> goodwin_simple(const std::string& folder) {
  return goodwin<m>(folder + "/goodwin/simple.csv");
}
template <std::size_t m>
std::shared_ptr<const Model> goodwin_complex(const std::string& folder) {
  return goodwin<m>(folder + "/goodwin/complex.csv");
}

struct Entry {
  Known known;
  Maker make;
};

constexpr std::string_view kOfModes = "integral on a grid around the best known mode, and importance sampling";

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = {
      {{"PET, 1 compartment", "pet/time-activity.csv", -40.874357, 1e-6,
        "the precision integrated out, a grid over the rest"},
       pet<1>},
      {{"PET, 2 compartments", "pet/time-activity.csv", -39.18801, 0.00012,
        "importance sampling, 1.6e7 draws (`bench_reference`)"},
       pet<2>},
      {{"PET, 3 compartments", "pet/time-activity.csv", -41.863, 0.001,
        "the precision integrated out, importance sampling of the rest"},
       pet<3>},
      {{"mixture, 1 component", "gmm/observations.csv", -272.6288, 1e-4, "two-dimensional quadrature"}, mixture<1>},
      {{"mixture, 4 components", "gmm/observations.csv", -247.88355, 0.00048,
        "importance sampling, 3e6 draws (`bench_reference`)"},
       mixture<4>},
      {{"mixture, 5 components", "gmm/observations.csv", -248.61, 0.03, "importance sampling"}, mixture<5>},
      {{"Goodwin, 3 components", "goodwin/simple.csv", -5.2176, 0.0003, kOfModes}, goodwin_simple<3>},
      {{"Goodwin, 5 components", "goodwin/simple.csv", -19.5405, 0.001, kOfModes}, goodwin_simple<5>},
      {{"Goodwin, complex data, 3 components", "goodwin/complex.csv", -707.298, 0.001, kOfModes}, goodwin_complex<3>},
      {{"Goodwin, complex data, 5 components", "goodwin/complex.csv", 1.7325, 0.001, kOfModes}, goodwin_complex<5>}};
  return all;
}

/// A member of a family with exact evidences.
template <class Family>
Problem member(const std::string& name, const std::shared_ptr<const Family>& family, ModelIndex k, double exact,
               const char* how) {
  return {name, {family, &family->model(k)}, exact, 0, how};
}

}  // namespace

std::vector<Problem> registry() {
  std::vector<Problem> all;
  for (const std::size_t n : {1, 2, 5, 10, 20, 50})
    for (const std::size_t d : {1, 2, 3, 5}) all.push_back(conjugate_normal(n, d));
  for (Problem& p :
       std::vector<Problem>{beta_bernoulli(1, 1), beta_bernoulli(30, 30), correlated_gaussian(), eggbox(), two_modes(),
                            narrow_gaussian(10), narrow_gaussian(20), unit_gaussian(200), equicorrelated_gaussian(10),
                            rosenbrock_pairs(2), rosenbrock_pairs(6), rosenbrock_pairs(10), log_exponential(5),
                            spike_in_normal(10, 0.4, 100), spike_in_normal(20, 0.1, 100, 0.31), log_gamma_modes(2),
                            log_gamma_modes(10), eight_schools(), pooled_schools()})
    all.push_back(std::move(p));
  const std::shared_ptr<const RegressionFamily> subset(new RegressionFamily(subsets()));  // neither copied nor moved
  for (const ModelIndex k : {0U, 0b101U, 0b11111U})
    all.push_back(member("regression on " + subset->name(k), subset, k, subset->regression(k).exact_log_evidence(),
                         "closed form: conjugate priors"));
  const auto sums = std::make_shared<const Sums>(sums_data(), std::make_shared<CountPrior>(CountPrior::uniform(1, 4)));
  for (const ModelIndex k : {1U, 4U})
    all.push_back(member("sum of " + sums->name(k), sums, k, sums->log_evidence(k), "closed form: a normal mean"));
  return all;
}

const std::vector<Known>& known_with_data() {
  static const std::vector<Known> all = [] {
    std::vector<Known> out;
    for (const Entry& e : entries()) out.push_back(e.known);
    return out;
  }();
  return all;
}

const Known& known(std::string_view name) {
  for (const Known& k : known_with_data())
    if (k.name == name) return k;
  throw InputError("there is no known answer for '" + std::string(name) + "'");
}

std::vector<Problem> problems_with_data(const std::string& folder, const std::vector<std::string_view>& names) {
  std::vector<Problem> out;
  for (const auto& [known, make] : entries())
    if ((names.empty() || std::ranges::find(names, known.name) != names.end()) &&
        std::filesystem::exists(folder + "/" + std::string(known.file)))
      out.push_back(
          {std::string(known.name), make(folder), known.log_evidence, known.standard_error, std::string(known.how)});
  return out;
}

}  // namespace evident::problems
